/// A guest book. In version 1.1.0 a controller can remove entries.

import Principal "mo:core/Principal";
import Book "Book";
import Methods "Methods";

// The title is needed for the installation only; an upgrade keeps the book and takes `null`.
persistent actor class GuestBook(title : ?Text) {
  let book = Book.open(title);
  Book.publish book;

  include Methods(book);

  /// Removes an entry, and answers whether there was one. For controllers of the canister.
  public shared ({ caller }) func remove(id : Nat) : async Bool {
    Principal.isController caller and Book.remove(book, id);
  };
};
