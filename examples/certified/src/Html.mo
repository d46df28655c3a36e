/// Pages in one plain style, light or dark as the reader has it.

import Char "mo:core/Char";
import Text "mo:core/Text";
import Site "Site";

module {
  /// Text of a stranger, so that it is shown and never read as HTML.
  public func escape(text : Text) : Text {
    Text.flatMap(
      text,
      func(char) = switch char {
        case '&' "&amp;";
        case '<' "&lt;";
        case '>' "&gt;";
        case '\"' "&quot;";
        case '\'' "&#39;";
        case _ Char.toText char;
      },
    );
  };

  /// A whole page; `title` is escaped here, `body` is HTML.
  public func page(title : Text, body : Text) : Blob {
    Text.encodeUtf8(
      "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">" #
      "<title>" # escape title # "</title><link rel=\"icon\" href=\"data:,\"><style>" # style() # "</style></head><body><main><h1>" # escape title # "</h1>" # body # "</main></body></html>"
    );
  };

  /// Headers of a page that loads nothing from elsewhere; `script` allows one of its own files.
  public func headers(script : Bool) : [Site.Header] {
    let scripts = if script " script-src 'self'; connect-src 'self';" else "";
    let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:;" # scripts # " form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
    [
      ("Content-Type", "text/html; charset=utf-8"),
      ("Content-Security-Policy", policy),
      ("X-Content-Type-Options", "nosniff"),
      ("Referrer-Policy", "no-referrer"),
      ("Cache-Control", "no-cache"),
    ];
  };

  func style() : Text {
    ":root{color-scheme:light dark;--ink:#1b1f24;--muted:#5b6470;--line:#e3e1dc;--page:#f7f6f3;--card:#fff;--accent:#2f5bea;--on:#fff;--ok:#157347;--bad:#b42318}" #
  "@media(prefers-color-scheme:dark){:root{--ink:#e8eaed;--muted:#a3abb6;--line:#2c313a;--page:#111317;--card:#181b20;--accent:#8fa8ff;--on:#111317;--ok:#4ade80;--bad:#f97066}}" #
  "*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,sans-serif}main{max-width:680px;margin:0 auto;padding:40px 16px 64px}" #
  "h1{font-size:28px;line-height:1.2;margin:0 0 24px;overflow-wrap:anywhere}p{margin:0 0 12px}.muted{color:var(--muted);font-size:14px}" #
  ".card{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:16px 20px;margin:0 0 12px;overflow-wrap:anywhere}.card p{white-space:pre-wrap;margin:4px 0 0}" #
  "label{display:block;font-size:14px;font-weight:600;margin:0 0 12px}input,textarea{display:block;width:100%;margin-top:4px;padding:10px 12px;font:inherit;font-weight:400;color:inherit;background:var(--page);border:1px solid var(--muted);border-radius:6px}" #
  "textarea{min-height:96px;resize:vertical}button{padding:10px 20px;font:inherit;font-weight:600;color:var(--on);background:var(--accent);border:0;border-radius:6px;cursor:pointer}button:disabled{opacity:.6;cursor:default}" #
  ":focus-visible{outline:2px solid var(--accent);outline-offset:2px}a{color:var(--accent)}.row{display:flex;gap:12px;justify-content:space-between;align-items:baseline;flex-wrap:wrap}" #
  ".up{color:var(--ok);font-weight:600}.down{color:var(--bad);font-weight:600}.bars{display:flex;gap:2px;height:28px;margin-top:12px}.bars i{flex:1;max-width:9px;border-radius:2px;background:var(--ok)}.bars i.miss{background:var(--bad)}";
  };
};
