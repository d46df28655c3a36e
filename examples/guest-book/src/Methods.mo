/// The methods of every version of the guest book.

import List "mo:core/List";
import Result "mo:core/Result";
import Time "mo:core/Time";
import Site "mo:certified/Site";
import Book "Book";

mixin(book : Book.Book) {
  /// The page, certified; forms are asked for again as an update call.
  public query func http_request(request : Site.Request) : async Site.Response {
    if (request.method == "POST") Site.upgrade() else Site.answer(book.site, request.url);
  };

  public func http_request_update(request : Site.Request) : async Site.Response {
    if (request.method == "POST") Book.post(book, Time.now(), request) else Site.plain(405, "Forms are sent with POST.");
  };

  /// Adds an entry, and answers its number.
  public func sign(name : Text, text : Text) : async Result.Result<Nat, Text> {
    Book.sign(book, Time.now(), name, text);
  };

  /// All entries, the latest last.
  public query func entries() : async [Book.Entry] {
    List.toArray(book.entries);
  };
};
