//! Who may do what, route by route.
//!
//! A row is a route, where the match that is asked about stands, and what each actor is told. The match
//! is in its lobby, played, ended or missing; `any` is for routes that name none, `free` and `owned` are
//! rows that belong to nobody and to the game.
//!
//! Actors, in four groups: nobody, a token of the match that somebody made up, an identity that somebody
//! else signed; a user without anything, the user who is the host and the user who is a player, both by
//! their identity alone; the tokens of the host, of a player, of one whose tribute is dead (in the lobby:
//! of another one), of another match's host and player, of a player who was removed; programs that may
//! read rows, write them, and do both to those of the game.
//!
//! A token that is not accepted is refused also where nobody needs one, and so is one of another match
//! where the token decides what is shown.
//!
//! `.` is done (2xx), `u` 401 INVALID_TOKEN, `m` 403 NOT_YOUR_MATCH, `g` 403 GM_REQUIRED,
//! `t` 403 NOT_YOUR_TRIBUTE, `i` 403 USER_REQUIRED, `k` 403 KV_ROLE_REQUIRED, `-` 404,
//! `d` 409 TRIBUTE_DEAD, `c` 409 otherwise.

pub(super) const TABLE: &str = "
POST   /match                              any     uuu ... iiiii u ...

GET    /match/{id}                         lobby   .uu ... ...mm u ...
GET    /match/{id}                         active  .uu ... ...mm u ...
GET    /match/{id}                         ended   .uu ... ...mm u ...
GET    /match/{id}                         missing -uu --- ----- u ---

GET    /invite/{code}                      lobby   .uu ... ..... u ...
GET    /invite/{code}                      active  -uu --- ----- u ---
GET    /invite/{code}                      missing -uu --- ----- u ---
POST   /match/{id}/invite                  lobby   uuu mmm .ggmm u mmm
POST   /match/{id}/invite                  active  uuu mmm cggmm u mmm
POST   /match/{id}/invite                  missing uuu mmm mmmmm u mmm
POST   /match/{id}/join                    lobby   .uu ..c ..... u ...
POST   /match/{id}/join                    active  cuu ccc ccccc u ccc
POST   /match/{id}/join                    ended   cuu ccc ccccc u ccc
POST   /match/{id}/join                    missing -uu --- ----- u ---
POST   /match/{id}/ai                      lobby   uuu mmm .ggmm u mmm
POST   /match/{id}/ai                      active  uuu mmm cggmm u mmm
POST   /match/{id}/ai                      missing uuu mmm mmmmm u mmm
DELETE /match/{id}/tribute/{tributeId}     lobby   uuu mmm ..tmm u mmm
DELETE /match/{id}/tribute/{tributeId}     active  uuu mmm cctmm u mmm
DELETE /match/{id}/tribute/{tributeId}     missing uuu mmm mmmmm u mmm
POST   /match/{id}/start                   lobby   uuu mmm .ggmm u mmm
POST   /match/{id}/start                   active  uuu mmm cggmm u mmm
POST   /match/{id}/start                   ended   uuu mmm cggmm u mmm
POST   /match/{id}/start                   missing uuu mmm mmmmm u mmm
POST   /match/{id}/token                   lobby   uuu m.. iiiii u mmm
POST   /match/{id}/token                   active  uuu m.. iiiii u mmm
POST   /match/{id}/token                   ended   uuu m.. iiiii u mmm
POST   /match/{id}/token                   missing uuu --- iiiii u ---

POST   /match/{id}/action                  lobby   uuu mmm tccmm u mmm
POST   /match/{id}/action                  active  uuu mmm t.dmm u mmm
POST   /match/{id}/action                  ended   uuu mmm tccmm u mmm
POST   /match/{id}/action                  missing uuu mmm mmmmm u mmm
POST   /match/{id}/advance                 lobby   uuu mmm cggmm u mmm
POST   /match/{id}/advance                 active  uuu mmm .ggmm u mmm
POST   /match/{id}/advance                 ended   uuu mmm cggmm u mmm
POST   /match/{id}/advance                 missing uuu mmm mmmmm u mmm
POST   /match/{id}/end                     lobby   uuu mmm .ggmm u mmm
POST   /match/{id}/end                     active  uuu mmm .ggmm u mmm
POST   /match/{id}/end                     ended   uuu mmm cggmm u mmm
POST   /match/{id}/end                     missing uuu mmm mmmmm u mmm
POST   /match/{id}/gm/rules                lobby   uuu mmm cggmm u mmm
POST   /match/{id}/gm/rules                active  uuu mmm .ggmm u mmm
POST   /match/{id}/gm/rules                missing uuu mmm mmmmm u mmm
POST   /match/{id}/gm/announce             active  uuu mmm .ggmm u mmm
POST   /match/{id}/gm/announce             ended   uuu mmm cggmm u mmm
POST   /match/{id}/gm/announce             missing uuu mmm mmmmm u mmm
POST   /match/{id}/gm/inject               active  uuu mmm .ggmm u mmm
POST   /match/{id}/gm/inject               ended   uuu mmm cggmm u mmm
POST   /match/{id}/gm/inject               missing uuu mmm mmmmm u mmm

GET    /match/{id}/log                     lobby   .uu ... ...mm u ...
GET    /match/{id}/log                     ended   .uu ... ...mm u ...
GET    /match/{id}/log                     missing -uu --- ----- u ---
GET    /match/{id}/stream                  active  .uu ... ...mm u ...
GET    /match/{id}/stream                  missing -uu --- ----- u ---
GET    /match/{id}/summary/{day}           active  -uu --- ----- u ---
GET    /match/{id}/summary/{day}           ended   .uu ... ..... u ...
GET    /match/{id}/summary/{day}           missing -uu --- ----- u ---
GET    /match/{id}/summaries               active  .uu ... ..... u ...
GET    /match/{id}/summaries               missing -uu --- ----- u ---
POST   /match/{id}/export                  lobby   cuu ccc ccccc u ccc
POST   /match/{id}/export                  active  cuu ccc ccccc u ccc
POST   /match/{id}/export                  ended   .uu ... ..... u ...
POST   /match/{id}/export                  missing -uu --- ----- u ---
GET    /match/{id}/verify                  lobby   .uu ... ..... u ...
GET    /match/{id}/verify                  active  .uu ... ..... u ...
GET    /match/{id}/verify                  ended   .uu ... ..... u ...
GET    /match/{id}/verify                  missing -uu --- ----- u ---
GET    /match/{id}/alliance/messages       lobby   uuu mmm t..mm u mmm
GET    /match/{id}/alliance/messages       active  uuu mmm t..mm u mmm
GET    /match/{id}/alliance/messages       ended   uuu mmm t..mm u mmm
GET    /match/{id}/alliance/messages       missing uuu mmm mmmmm u mmm
POST   /match/{id}/alliance/messages       lobby   uuu mmm tccmm u mmm
POST   /match/{id}/alliance/messages       active  uuu mmm t.dmm u mmm
POST   /match/{id}/alliance/messages       ended   uuu mmm tccmm u mmm
POST   /match/{id}/alliance/messages       missing uuu mmm mmmmm u mmm

POST   /match/{id}/pin                     lobby   uuu mmm .ggmm u mmm
POST   /match/{id}/pin                     active  uuu mmm .ggmm u mmm
POST   /match/{id}/pin                     ended   uuu mmm .ggmm u mmm
POST   /match/{id}/pin                     missing uuu mmm mmmmm u mmm
GET    /r/{id}                             lobby   -uu --- ----- u ---
GET    /r/{id}                             ended   .uu ... ..... u ...
GET    /r/{id}                             missing -uu --- ----- u ---
GET    /stories/{id}                       lobby   cuu ccc ccccc u ccc
GET    /stories/{id}                       active  cuu ccc ccccc u ccc
GET    /stories/{id}                       ended   .uu ... ..... u ...
GET    /stories/{id}                       missing -uu --- ----- u ---

GET    /me                                 any     uuu --- iiiii u ---
PUT    /me                                 any     uuu ... iiiii u ...
DELETE /me                                 any     uuu ... iiiii u ...
GET    /me/matches                         any     uuu ... iiiii u ...
GET    /my-matches                         any     uuu ... iiiii u ...

GET    /kv/{pk}                            free    uuu kkk kkkkk u .k.
GET    /kv/{pk}/{sk}                       free    uuu kkk kkkkk u .k.
POST   /kv/{pk}/{sk}                       free    uuu kkk kkkkk u k..
PUT    /kv/{pk}/{sk}                       free    uuu kkk kkkkk u k..
PATCH  /kv/{pk}/{sk}                       free    uuu kkk kkkkk u k..
DELETE /kv/{pk}/{sk}                       free    uuu kkk kkkkk u k..
GET    /kv/{pk}                            owned   uuu kkk kkkkk u .k.
GET    /kv/{pk}/{sk}                       owned   uuu kkk kkkkk u kk.
PUT    /kv/{pk}/{sk}                       owned   uuu kkk kkkkk u kk.
PATCH  /kv/{pk}/{sk}                       owned   uuu kkk kkkkk u kk.
DELETE /kv/{pk}/{sk}                       owned   uuu kkk kkkkk u kk.
GET    /kv1/{key}                          free    uuu kkk kkkkk u .k.
POST   /kv1/{key}                          free    uuu kkk kkkkk u k..
PUT    /kv1/{key}                          free    uuu kkk kkkkk u k..
PATCH  /kv1/{key}                          free    uuu kkk kkkkk u k..
DELETE /kv1/{key}                          free    uuu kkk kkkkk u k..
";
