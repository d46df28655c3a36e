/** Answers a query and an update call at once; the query `spin` goes on as long as it may. */
export const COUNTER_WAT = `(module
  (import "ic0" "msg_reply" (func $reply))
  (func (export "canister_query get") (call $reply))
  (func (export "canister_query spin") (loop $l (br $l)))
  (func (export "canister_update inc") (call $reply)))`;
