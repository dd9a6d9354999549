/// How the consent pages look: one card, wide targets, light and dark.
enum ConsentStyle {
  static let sheet = """
    :root{color-scheme:light dark;--ink:#1f1f1f;--soft:#5f6368;--line:#dadce0;--card:#fff;--back:#f0f4f9;\
    --main:#0b57d0;--on-main:#fff;--hover:#f1f5fc}
    @media(prefers-color-scheme:dark){:root{--ink:#e3e3e3;--soft:#a6abb0;--line:#444746;--card:#131314;\
    --back:#1e1f20;--main:#a8c7fa;--on-main:#062e6f;--hover:#1f2023}}
    *{box-sizing:border-box}
    body{margin:0;min-height:100vh;display:flex;flex-direction:column;align-items:center;justify-content:center;\
    padding:16px;background:var(--back);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
    main{width:100%;max-width:460px;background:var(--card);border-radius:24px;padding:28px 28px 24px}
    .brand{margin:0 0 20px;padding-bottom:14px;border-bottom:1px solid var(--line);font-size:14px;color:var(--soft)}
    .brand em{font-style:normal;border:1px solid var(--line);border-radius:9px;padding:1px 8px;margin-left:4px}
    h1{margin:0 0 8px;font-size:26px;line-height:1.25;font-weight:400;overflow-wrap:anywhere}
    h1 b,.lead b,legend b{font-weight:600}
    .lead{margin:8px 0 16px;color:var(--soft);font-size:14px}
    .app{color:var(--main);overflow-wrap:anywhere}
    ul{list-style:none;margin:0;padding:0}
    small{display:block;color:var(--soft);font-size:13px;overflow-wrap:anywhere}
    .avatar{flex:none;width:36px;height:36px;border-radius:50%;display:grid;place-items:center;background:var(--main);\
    color:var(--on-main);font-style:normal;font-weight:600}
    .accounts{border-top:1px solid var(--line)}
    .accounts li{border-bottom:1px solid var(--line)}
    button{font:inherit;cursor:pointer;border:0;border-radius:20px;min-height:40px;background:none;color:var(--main)}
    button:hover{background:var(--hover)}
    button:focus-visible,input:focus-visible{outline:3px solid var(--main);outline-offset:2px}
    .account{display:flex;gap:14px;align-items:center;width:100%;text-align:left;padding:12px 8px;border-radius:8px;color:inherit}
    .account b{font-weight:500}
    .who{display:flex;flex-wrap:wrap;gap:12px;align-items:center;margin:16px 0;padding:10px;border:1px solid var(--line);border-radius:20px}
    .who span{overflow-wrap:anywhere;flex:1 1 220px}
    .who .quiet{font-size:14px;padding:0 12px}
    fieldset{border:0;margin:0;padding:0}
    legend{padding:0;margin-bottom:4px;font-weight:500}
    .scopes li{display:flex;gap:14px;padding:12px 0;border-bottom:1px solid var(--line)}
    .scopes input{flex:none;width:22px;height:22px;margin:2px 0 0;accent-color:var(--main)}
    #other-account>label{display:block;margin:20px 0 6px;font-size:14px;font-weight:500}
    input[type=email]{width:100%;font:inherit;padding:12px 14px;border:1px solid var(--line);border-radius:8px;background:none;color:inherit}
    .actions{display:flex;justify-content:flex-end;gap:12px;margin-top:24px}
    .actions button{padding:0 24px;font-weight:500}
    .actions .quiet{border:1px solid var(--line)}
    .main{background:var(--main);color:var(--on-main)}
    .main:hover{background:var(--main);filter:brightness(1.08)}
    .alert{color:#b3261e;margin:8px 0}
    @media(prefers-color-scheme:dark){.alert{color:#f2b8b5}}
    code{background:var(--hover);padding:4px 8px;border-radius:6px;overflow-wrap:anywhere}
    footer{max-width:460px;margin-top:16px;color:var(--soft);font-size:12px;text-align:center}
    """
}
