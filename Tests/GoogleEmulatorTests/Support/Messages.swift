/// Messages that several tests use.
enum Messages {
  /// A short message of one text.
  static func plain(
    subject: String = "Hyresavi", from: String = "Landlord <rent@landlord.example>", date: String? = nil,
    id: String = "m1@landlord.example", text: String = "Din hyra för maj."
  ) -> String {
    """
    From: \(from)
    To: Alice <alice@example.com>
    Subject: \(subject)
    Date: \(date ?? "Wed, 17 Jul 2024 08:12:05 +0200")
    Message-ID: <\(id)>
    Content-Type: text/plain; charset=utf-8

    \(text)
    """
  }

  /// mixed > alternative > plain + html, and a PDF whose name is extended in two pieces.
  static let nested = """
    Received: from mx.example by mail.example; Wed, 17 Jul 2024 08:12:09 +0200 (CEST)
    Received: from elsewhere by mx.example; Mon, 1 Jan 2024 00:00:00 +0000
    From: =?utf-8?Q?Hyresv=C3=A4rden?= <rent@landlord.example>
    Subject: =?iso-8859-1?Q?R=E4kning?= =?iso-8859-1?Q?_f=F6r_maj?=
    Date: Wed, 17 Jul 2024 08:12:05 +0200
    MIME-Version: 1.0
    Content-Type: multipart/mixed; boundary="--outer"

    preamble
    ----outer
    Content-Type: multipart/alternative;
     boundary=inner

    --inner
    Content-Type: text/plain; charset=iso-8859-1
    Content-Transfer-Encoding: quoted-printable

    Hyra =E5r 2024 =
    <med> & utan
    --inner
    Content-Type: text/html

    <p>Hyra</p>
    --inner--
    ----outer
    Content-Type: application/pdf
    Content-Disposition: attachment; filename*0*=iso-8859-1''R%E4kning;
     filename*1=".pdf"
    Content-Transfer-Encoding: base64

    JVBERi0x
    LjQ=
    ----outer--
    epilogue
    """

  /// mixed > text + an attached message that holds a PDF of its own.
  static let forwarded = """
    From: Alice <alice@example.com>
    Subject: Fwd: Faktura
    Date: Wed, 17 Jul 2024 08:12:05 +0200
    Content-Type: multipart/mixed; boundary=o

    --o
    Content-Type: text/plain

    see below
    --o
    Content-Type: message/rfc822

    From: Shop <shop@shop.example>
    Subject: Faktura
    Content-Type: multipart/mixed; boundary=i

    --i
    Content-Type: text/plain

    inner text
    --i
    Content-Type: application/pdf; name="f.pdf"
    Content-Transfer-Encoding: base64

    JVBERi0xLjQ=
    --i--
    --o--
    """
}
