const FUNCTIONS = 390;
const CLAUSES = 12;

/** A Motoko actor with many distinct functions, about 2 MiB when compiled. */
export function largeMotokoSource(functions = FUNCTIONS): string {
  const sources = Array.from({ length: functions }, (_, i) => {
    const clauses = Array.from(
      { length: CLAUSES },
      (__, j) =>
        `case ${j} { debug_show (list.size() + ${i * j}, ?${i + 1}, "clause ${i}.${j}", #tag${i} (n)) };`,
    );
    return `func f${i}(list : [Nat], n : Nat) : Text { switch (n) { ${clauses.join(' ')} case _ { "f${i}" } } };`;
  });
  const all = Array.from({ length: functions }, (_, i) => `f${i}`).join(', ');
  return `persistent actor {
    ${sources.join('\n')}
    public query func run(n : Nat) : async Text {
      var text = "";
      for (f in [${all}].vals()) { text #= f([1, 2, 3], n) };
      text
    };
  };`;
}
