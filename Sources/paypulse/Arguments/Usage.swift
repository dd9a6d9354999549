/// The text of `paypulse help`.
enum Usage {
  static let text = """
    usage: paypulse [--server URL] [--json] COMMAND

      signup  [--email E] [--name N]   make an account and sign in
      login   [--email E]              sign in
      logout  [--forget]               sign out; --forget also erases what waits for delivery, of every user when
                                       nobody is signed in
      me                               who you are, and how Gmail is connected
      connect-gmail --google-client-id ID [--google-base-url URL]
              [--redirect loopback|scheme] [--auto] [--no-browser]
                                       let PayPulse read your Gmail
      disconnect-gmail                 let go of it
      help                             this text

    --server URL          the server; then PAYPULSE_SERVER, then the one used last
    --json                print the reply's data as one JSON object, and everything else to standard error
    --allow-plain-http    take http:// for another machine too: your password travels in the clear

    A password is asked for at the prompt, or read from standard input when that is no terminal.

    connect-gmail opens Google's page in the browser and waits for its answer:
      --redirect loopback  at an address of this machine; only desktop clients may (default with a base URL)
      --redirect scheme    at the client's own scheme, as an iOS client must (default at the real Google). The scheme
                           is registered with the desktop while the command waits, so that the browser can hand the
                           answer over; or paste the address here that the browser could not open.
      --google-base-url    an emulator's address in place of Google's
      --auto               follow the emulator's automatic consent without a browser; without --redirect, a client
                           that may not use a loopback address gets the scheme
      --no-browser         only print the page's address

    exit status: 0 done, 1 refused, 2 wrong usage, 3 the server or Google cannot be reached

    """
}
