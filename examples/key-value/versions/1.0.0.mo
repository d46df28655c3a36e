/// Version 1.0.0 of the key-value store.

import Methods "../src/Methods";
import Store "../src/Store";

persistent actor KeyValue {
  let store = Store.empty();

  include Methods(store);
};
