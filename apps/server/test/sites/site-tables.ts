/*
 * Addresses of sites and what is right there, by the documents of the hosts whose files these are. The sources:
 * - routing: docs/routing.md of dfinity/certified-assets
 * - redirects: docs/redirects.md of dfinity/certified-assets
 * - netlify: docs.netlify.com/routing/redirects/redirect-options, and /routing/redirects
 * - own: docs/static-sites.md, where the others say nothing or cannot be certified
 */

export interface Site {
  readonly what: string;
  readonly files: string;
  readonly redirects?: string;
  readonly headers?: string;
  /** Lines 'PATH STATUS' with the file or the place that a redirect leads to, below a source. */
  readonly table: string;
}

export const SITES: readonly Site[] = [
  {
    what: 'pages and folders',
    files:
      'index.html about.html about.css blog/index.html blog/post.html blog/post.json blog/2026/index.html team/ada.html team/index.html deep/a/b/c/index.html deep/a/b/d.html index.js data.html data/index.html name.with.dots.html sub/index/index.html caf%C3%A9.html',
    table: `
      # routing
      / 200 index.html
      /index 307 /
      /index.html 200 index.html
      /about 200 about.html
      /about/ 307 /about
      /about/index 307 /about
      /about.html 200 about.html
      /blog/ 200 blog/index.html
      /blog 307 /blog/
      /blog/index 307 /blog/
      /blog/index.html 200 blog/index.html
      /blog/post 200 blog/post.html
      /blog/post/ 307 /blog/post
      /blog/post/index 307 /blog/post
      /blog/post.html 200 blog/post.html
      /blog/2026 307 /blog/2026/
      /blog/2026/ 200 blog/2026/index.html
      /blog/2026/index 307 /blog/2026/
      /blog/2026/index.html 200 blog/2026/index.html
      /team 307 /team/
      /team/ 200 team/index.html
      /team/ada 200 team/ada.html
      /team/ada/ 307 /team/ada
      /deep/a/b/c 307 /deep/a/b/c/
      /deep/a/b/c/ 200 deep/a/b/c/index.html
      /deep/a/b/c/index 307 /deep/a/b/c/
      /deep/a/b/d 200 deep/a/b/d.html
      /deep/a/b/d/ 307 /deep/a/b/d
      /name.with.dots 200 name.with.dots.html
      /name.with.dots/ 307 /name.with.dots
      /about.css 200 about.css
      /blog/post.json 200 blog/post.json
      /index.js 200 index.js
      # own: a page goes before a folder of its name, and each has an address
      /data 200 data.html
      /data/ 200 data/index.html
      /data/index 307 /data/
      /sub/index 307 /sub/index/
      /sub/index/ 200 sub/index/index.html
      # own: slashes that follow each other count as one
      //about 200 about.html
      /blog//post 200 blog/post.html
      /blog// 200 blog/index.html
      //blog 307 /blog/
      # own: a query is kept, so that the page itself answers
      /blog?page=2 200 blog/index.html
      /about/?x 200 about.html
      /index?code=1 200 index.html
      # own: without a 404 page and without _redirects the start page answers
      /none 200 index.html
      /blog/none 200 index.html
      /about.css/ 200 index.html
      /deep/ 200 index.html
      /deep/a/b 200 index.html`,
  },
  {
    what: 'the examples of certified-assets',
    files:
      'index.html about.html blog.html content/article.html docs/v2/index.html docs/v2/new.html 403.html sunset.html app/index.html login.html',
    redirects: `
      # Permanent redirect to a new internal path
      /old-blog        /blog            301
      /discord         https://discord.gg/example   302
      /article         /content/article.html         200
      /docs/v1/*       /docs/v2/        301
      /secret          /403.html        404
      /retired-feature /sunset.html     410
      /temp            /login           307
      /perm            /login           308
      /blog            /about           301
      /late/*          /about.html      200
      /late/never      /login.html      200`,
    table: `
      # redirects
      /old-blog 301 /blog
      /discord 302 https://discord.gg/example
      /article 200 content/article.html
      /docs/v1/ 301 /docs/v2/
      /docs/v1/a 301 /docs/v2/
      /docs/v1/a/b.html 301 /docs/v2/
      /secret 404 403.html
      /retired-feature 410 sunset.html
      /temp 307 /login
      /perm 308 /login
      /blog 200 blog.html
      /about 200 about.html
      /403 200 403.html
      /403.html 200 403.html
      /sunset 200 sunset.html
      /content/article 200 content/article.html
      /content/article/ 307 /content/article
      /docs/v2 307 /docs/v2/
      /docs/v2/ 200 docs/v2/index.html
      /docs/v2/new 200 docs/v2/new.html
      /late/any 200 about.html
      /late/never 200 about.html
      /late/ 200 about.html
      /docs/v10/x 404 not found
      /docs/ 404 not found
      /docs 404 not found
      /_redirects 404 not found
      /none 404 not found
      /none/deep/er 404 not found
      /article.html 404 not found
      # netlify: a path with and without a slash at its end is the same
      /old-blog/ 301 /blog
      /discord/ 302 https://discord.gg/example
      /article/ 200 content/article.html
      /secret/ 404 403.html
      /retired-feature/ 410 sunset.html
      /docs/v1 301 /docs/v2/
      /late 200 about.html
      # own: what is certified beforehand cannot have the query of a request
      /old-blog?utm=1 301 /blog
      /article?utm=1 200 content/article.html
      /docs/v1/a?b=c 301 /docs/v2/`,
  },
  {
    what: 'placeholders and splats',
    files:
      'index.html news/index.html blog/index.html blog/hello.html blog/2026/a.html blog/img/cat.png articles/2026-11-27-launch.html articles/2026-11-28-b.html user.html team/de/about.html team/en/about.html store-closed.html shop/index.html shop/sale.html 404.html assets/app.js',
    redirects: `
      /news/*                   /blog/:splat                         302
      /:year/:month/:day/:slug  /articles/:year-:month-:day-:slug    301
      /user/:id                 /user.html                           200
      /user/:id/edit            /user.html                           200
      /u/:id/*                  /user.html                           200
      /:lang/team               /team/:lang/about                    200
      /store/*                  /store-closed                        404
      /pic/:name.png            /blog/img/:name.png                  301
      /old-shop/*               /shop/:splat?from=old                301
      /cdn/*                    /assets/:splat                       200
      /x/*                      /nowhere/:splat                      301
      /away/*                   https://other.example/:splat         301`,
    table: `
      # netlify: splats
      /news/hello 302 /blog/hello
      /news/hello.html 302 /blog/hello.html
      /news/2026/a 302 /blog/2026/a
      /news/2026/a.html 302 /blog/2026/a.html
      /news/img/cat.png 302 /blog/img/cat.png
      /old-shop/sale 301 /shop/sale?from=old
      /old-shop/ 301 /shop/?from=old
      /old-shop 301 /shop/?from=old
      /cdn/app.js 200 assets/app.js
      # netlify: placeholders
      /2026/11/27/launch 301 /articles/2026-11-27-launch
      /2026/11/28/b 301 /articles/2026-11-28-b
      /2026/11/28/b.html 301 /articles/2026-11-28-b.html
      /user/7 200 user.html
      /user/7/ 200 user.html
      /user/ada.lovelace 200 user.html
      /user/7/edit 200 user.html
      /user/7/edit/ 200 user.html
      /u/7/a/b 200 user.html
      /u/7/ 200 user.html
      /de/team 200 team/de/about.html
      /en/team 200 team/en/about.html
      /pic/cat.png 301 /blog/img/cat.png
      # netlify: a page of an error
      /store/x 404 store-closed.html
      /store/x/y.html 404 store-closed.html
      /store 404 store-closed.html
      # netlify: files come first, and a rule that has no page to lead to
      /news/ 200 news/index.html
      /news 307 /news/
      /blog/hello 200 blog/hello.html
      /shop 307 /shop/
      /user 200 user.html
      /user.html 200 user.html
      # own: rules lead to pages that there are
      /news/none 404 404.html
      /news/2026/none 404 404.html
      /2026/11/29/none 404 404.html
      /2026/11/27 404 404.html
      /2026/11/27/launch/x 404 404.html
      /fr/team 404 404.html
      /de/team/x 404 404.html
      /pic/dog.png 404 404.html
      /pic/cat.jpg 404 404.html
      /cdn/none.js 404 404.html
      /x/y 404 404.html
      /away/y 404 404.html
      /user/7/edit/more 404 404.html
      /u/7 200 user.html
      /404 200 404.html
      /404/ 307 /404
      /404.html 200 404.html
      /none 404 404.html`,
  },
  {
    what: 'a single-page application',
    files: 'index.html assets/app.js assets/style.css legal.html 404.html docs/index.html robots.txt',
    redirects: '/assets/* /404.html 404\n/* /index.html 200',
    table: `
      # routing: single-page apps
      / 200 index.html
      /dashboard 200 index.html
      /dashboard/ 200 index.html
      /dashboard/settings 200 index.html
      /dashboard/settings?tab=1 200 index.html
      /a/b/c/d/e/f 200 index.html
      /assets/app.js 200 assets/app.js
      /assets/style.css 200 assets/style.css
      /assets/app-old.js 404 404.html
      /assets/deep/x.png 404 404.html
      /assets/ 404 404.html
      /legal 200 legal.html
      /legal/ 307 /legal
      /index 307 /
      /docs 307 /docs/
      /docs/ 200 docs/index.html
      /docs/none 200 index.html
      /robots.txt 200 robots.txt
      /favicon.ico 200 index.html
      /404 200 404.html
      /_redirects 200 index.html
      # netlify: /assets/* has the folder, too
      /assets 404 404.html`,
  },
  {
    what: 'folders with 404 pages',
    files:
      'index.html 404.html blog/index.html blog/404.html blog/a/post.html blog/a/b/404.html shop/index.html shop/old/404.html lang/de/404.html lang/de/index.html',
    table: `
      # own: the nearest 404 page, as the reference asset canister
      /none 404 404.html
      /none/ 404 404.html
      /none/deep 404 404.html
      /blog/none 404 blog/404.html
      /blog/none/ 404 blog/404.html
      /blog/none/deep/er.png 404 blog/404.html
      /blog/a 404 blog/404.html
      /blog/a/ 404 blog/404.html
      /blog/a/none 404 blog/404.html
      /blog/a/b 404 blog/a/b/404.html
      /blog/a/b/ 404 blog/a/b/404.html
      /blog/a/b/c/d 404 blog/a/b/404.html
      /blogs/none 404 404.html
      /blog-none 404 404.html
      /shop/none 404 404.html
      /shop/old 404 shop/old/404.html
      /shop/old/x 404 shop/old/404.html
      /shop/older/x 404 404.html
      /lang 404 404.html
      /lang/de 307 /lang/de/
      /lang/de/x 404 lang/de/404.html
      /lang/en/x 404 404.html
      /blog 307 /blog/
      /blog/ 200 blog/index.html
      /blog/a/post 200 blog/a/post.html
      /blog/a/post/ 307 /blog/a/post
      /blog/404 200 blog/404.html
      /blog/404.html 200 blog/404.html`,
  },
  {
    what: 'rules in their order',
    files: 'index.html one.html two.html three.html in/index.html in/404.html in/page.html a/b.html',
    redirects: `
      /first /one.html 200
      /first /two.html 200
      /in/x/* /one.html 200
      /in/:any/y /two.html 200
      /in/* /three.html 410
      /in/x/never /two.html 200
      /a/* /one.html 200
      /a/b /two.html 200
      /a/b/c /two.html 200
      /:one/:two /two.html 200
      /p/q/:r /three.html 200
      / /one 302`,
    table: `
      # redirects: the first that matches, behind the files
      /first 200 one.html
      /in/x/a 200 one.html
      /in/x/y 200 one.html
      /in/x/never 200 one.html
      /in/x 200 one.html
      /in/z/y 200 two.html
      /in/z/y/ 200 two.html
      /in/z/w 410 three.html
      /in/none 410 three.html
      /in 307 /in/
      /in/ 200 in/index.html
      /in/page 200 in/page.html
      /in/404 200 in/404.html
      /a/none 200 one.html
      /a/b 200 a/b.html
      /a/b/ 307 /a/b
      /a/b/c 200 one.html
      /a 200 one.html
      /q/r 200 two.html
      /p/q 200 two.html
      /p/q/s 200 three.html
      /p/q/s/t 404 not found
      /q/r/s 404 not found
      /alone 404 not found
      / 200 index.html`,
  },
  {
    what: 'names with other characters',
    files: 'index.html 404.html',
    redirects: `
      /caf%C3%A9 /index.html 200
      /a%20b /x%20y 301
      /gr%C3%BC%C3%9Fe/* /index.html 200
      /hash /index.html#part 301
      /q /index.html?a=b&c=d 302
      /UPPER /index.html 200
      /+plus /index.html 200
      /.well-known/thing /index.html 200
      /semi;colon /index.html 200
      /100%25 /index.html 200`,
    table: `
      # own
      /caf%C3%A9 200 index.html
      /caf%c3%a9 200 index.html
      /a%20b 301 /x%20y
      /gr%C3%BC%C3%9Fe/x 200 index.html
      /hash 301 /index.html#part
      /q 302 /index.html?a=b&c=d
      /UPPER 200 index.html
      /upper 404 404.html
      /+plus 200 index.html
      /%2Bplus 200 index.html
      /.well-known/thing 200 index.html
      /semi;colon 200 index.html
      /100%25 200 index.html
      /cafe 404 404.html
      /a+b 404 404.html
      /%3C*%3E 404 404.html
      /%61%20b 301 /x%20y`,
  },
  {
    what: 'a documentation that has moved',
    files:
      'index.html docs/index.html docs/v2/index.html docs/v2/install.html docs/v2/guide/index.html docs/v2/guide/first.html docs/v2/api/types.html docs/v2/img/a.png changelog.html search/index.html sitemap.xml',
    redirects: `
      /docs/latest/*     /docs/v2/:splat          302
      /docs/v1/api/*     /docs/v2/api/types       301
      /docs/v1/*         /docs/v2/:splat          301
      /documentation     /docs/v2/                308
      /guide/:page       /docs/v2/guide/:page     301
      /install.html      /docs/v2/install#linux   301
      /releases/*        https://github.com/example/example/releases 302
      /edit/*            /docs/v2/ 307
      /gone/*            /changelog.html          410
      /:version/search   /search/                 200`,
    table: `
      # netlify
      /docs/latest/ 302 /docs/v2/
      /docs/latest 302 /docs/v2/
      /docs/latest/install 302 /docs/v2/install
      /docs/latest/install.html 302 /docs/v2/install.html
      /docs/latest/guide/ 302 /docs/v2/guide/
      /docs/latest/guide 302 /docs/v2/guide/
      /docs/latest/guide/first 302 /docs/v2/guide/first
      /docs/latest/img/a.png 302 /docs/v2/img/a.png
      /docs/v1/api/ 301 /docs/v2/api/types
      /docs/v1/api/any/thing 301 /docs/v2/api/types
      /docs/v1/api 301 /docs/v2/api/types
      /docs/v1/install 301 /docs/v2/install
      /docs/v1/guide/first 301 /docs/v2/guide/first
      /docs/v1/ 301 /docs/v2/
      /docs/v1 301 /docs/v2/
      /documentation 308 /docs/v2/
      /documentation/ 308 /docs/v2/
      /guide/first 301 /docs/v2/guide/first
      /install.html 301 /docs/v2/install#linux
      /releases 302 https://github.com/example/example/releases
      /releases/v1.2.3 302 https://github.com/example/example/releases
      /edit/any 307 /docs/v2/
      /gone/a 410 changelog.html
      /gone/a/b/c.html 410 changelog.html
      /v9/search 200 search/index.html
      /v9/search/ 200 search/index.html
      # redirects: files come first
      /docs 307 /docs/
      /docs/ 200 docs/index.html
      /docs/v2 307 /docs/v2/
      /docs/v2/ 200 docs/v2/index.html
      /docs/v2/install 200 docs/v2/install.html
      /docs/v2/install/ 307 /docs/v2/install
      /docs/v2/guide/index 307 /docs/v2/guide/
      /docs/v2/img/a.png 200 docs/v2/img/a.png
      /search 307 /search/
      /sitemap.xml 200 sitemap.xml
      /changelog 200 changelog.html
      # own
      /docs/latest/none 404 not found
      /docs/v1/none 404 not found
      /docs/v3/install 404 not found
      /docs/v2/none 404 not found
      /docs/v2/img/b.png 404 not found
      /guide/none 404 not found
      /guide/first/more 404 not found
      /guide 404 not found
      /v9/search/more 404 not found
      /v9/v8/search 404 not found
      /docs/v2/api 404 not found
      /sitemap.xml/ 404 not found
      /sitemap 404 not found
      /docs//v2//install 200 docs/v2/install.html
      //docs/v1/install 301 /docs/v2/install`,
  },
];
