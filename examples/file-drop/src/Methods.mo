/// The methods of every version of the file drop.

import Principal "mo:core/Principal";
import Result "mo:core/Result";
import Time "mo:core/Time";
import Site "mo:certified/Site";
import Drop "Drop";

mixin(drop : Drop.Drop) {
  /// Pages and files, certified; uploads are asked for again as an update call.
  public query func http_request(request : Site.Request) : async Site.Response {
    if (request.method == "POST") Site.upgrade() else Site.answer(drop.site, request.url);
  };

  public func http_request_update(request : Site.Request) : async Site.Response {
    if (request.method == "POST") Drop.post(drop, Time.now(), request) else Site.plain(405, "Files are sent with POST.");
  };

  /// Sets the key that uploads from the page need. For controllers of the canister.
  public shared ({ caller }) func set_key(key : Text) : async Result.Result<(), Text> {
    if (not Principal.isController caller) return #err("Only a controller of this canister can set the key.");
    Drop.setKey(drop, key);
  };

  /// Uploads without the page, and answers the path. For controllers of the canister.
  public shared ({ caller }) func upload(name : Text, content_type : Text, content : Blob) : async Result.Result<Text, Text> {
    if (not Principal.isController caller) return #err("Only a controller of this canister can upload without the key.");
    Drop.put(drop, Time.now(), name, content_type, content);
  };

  /// Removes a file, and answers whether there was one. For controllers of the canister.
  public shared ({ caller }) func remove(name : Text) : async Bool {
    Principal.isController caller and Drop.remove(drop, name);
  };

  public query func files() : async [Drop.File] {
    Drop.files drop;
  };
};
