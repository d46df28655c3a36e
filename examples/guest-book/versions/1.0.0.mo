/// Version 1.0.0 of the guest book.

import Book "../src/Book";
import Methods "../src/Methods";

persistent actor class GuestBook(title : ?Text) {
  let book = Book.open(title);
  Book.publish book;

  include Methods(book);
};
