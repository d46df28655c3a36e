/** The functions of the Internet Computer's system API that this canister uses, as the interface specification types them for wasm32. */

@external("ic0", "msg_arg_data_size")
export declare function msg_arg_data_size(): i32;
@external("ic0", "msg_arg_data_copy")
export declare function msg_arg_data_copy(dst: usize, offset: i32, size: i32): void;
@external("ic0", "msg_caller_size")
export declare function msg_caller_size(): i32;
@external("ic0", "msg_caller_copy")
export declare function msg_caller_copy(dst: usize, offset: i32, size: i32): void;
@external("ic0", "msg_reply_data_append")
export declare function msg_reply_data_append(src: usize, size: i32): void;
@external("ic0", "msg_reply")
export declare function msg_reply(): void;
@external("ic0", "canister_self_size")
export declare function canister_self_size(): i32;
@external("ic0", "canister_self_copy")
export declare function canister_self_copy(dst: usize, offset: i32, size: i32): void;
@external("ic0", "is_controller")
export declare function is_controller(src: usize, size: i32): i32;
@external("ic0", "time")
export declare function time(): i64;
@external("ic0", "trap")
export declare function trap(src: usize, size: i32): void;
@external("ic0", "certified_data_set")
export declare function certified_data_set(src: usize, size: i32): void;
@external("ic0", "data_certificate_present")
export declare function data_certificate_present(): i32;
@external("ic0", "data_certificate_size")
export declare function data_certificate_size(): i32;
@external("ic0", "data_certificate_copy")
export declare function data_certificate_copy(dst: usize, offset: i32, size: i32): void;
@external("ic0", "stable64_size")
export declare function stable64_size(): i64;
@external("ic0", "stable64_grow")
export declare function stable64_grow(pages: i64): i64;
@external("ic0", "stable64_write")
export declare function stable64_write(offset: i64, src: i64, size: i64): void;
@external("ic0", "stable64_read")
export declare function stable64_read(dst: i64, offset: i64, size: i64): void;
@external("ic0", "root_key_size")
export declare function root_key_size(): i32;
@external("ic0", "root_key_copy")
export declare function root_key_copy(dst: usize, offset: i32, size: i32): void;
@external("ic0", "env_var_count")
export declare function env_var_count(): i32;
@external("ic0", "env_var_name_size")
export declare function env_var_name_size(index: i32): i32;
@external("ic0", "env_var_name_copy")
export declare function env_var_name_copy(index: i32, dst: usize, offset: i32, size: i32): void;
@external("ic0", "env_var_value_size")
export declare function env_var_value_size(name: usize, nameSize: i32): i32;
@external("ic0", "env_var_value_copy")
export declare function env_var_value_copy(name: usize, nameSize: i32, dst: usize, offset: i32, size: i32): void;
@external("ic0", "performance_counter")
export declare function performance_counter(kind: i32): i64;
@external("ic0", "call_new")
export declare function call_new(callee: usize, calleeSize: i32, name: usize, nameSize: i32, replyFun: u32, replyEnv: i32, rejectFun: u32, rejectEnv: i32): void;
@external("ic0", "call_on_cleanup")
export declare function call_on_cleanup(fun: u32, env: i32): void;
@external("ic0", "call_perform")
export declare function call_perform(): i32;
