import Primitives
import Testing

@testable import GoogleEmulator

@Suite struct MIMEParserTests {
  private func parse(_ text: String) -> MIMEPart { MIMEParser.parse(Array(text.utf8)) }

  @Test func `CRLF and LF give the same tree`() {
    let crlf = parse(
      Messages.nested.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n"))
    let lines = parse(Messages.nested)
    for root in [crlf, lines] {
      #expect(root.children.map(\.mediaType) == ["multipart/alternative", "application/pdf"])
      #expect(root.children[0].children.map(\.mediaType) == ["text/plain", "text/html"])
      #expect(root.children[1].content == Array("%PDF-1.4".utf8))
      #expect(root.children[0].children[0].text == "Hyra år 2024 <med> & utan")
    }
  }

  @Test func `an attached message is opened, encoded or not`() {
    let root = parse(Messages.forwarded)
    #expect(root.children[1].children[0].children[1].filename == "f.pdf")
    #expect(root.flattened(intoMessages: false).count == 3 && root.flattened(intoMessages: true).count == 6)
    let encoded = parse(
      "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nU3ViamVjdDogeAoKeQ==")
    #expect(encoded.children[0].headers["subject"] == "x" && encoded.children[0].text == "y")
  }

  @Test(arguments: [
    (#"filename="a.pdf""#, "a.pdf"), ("filename=a.pdf", "a.pdf"),
    (#"filename="=?utf-8?Q?F=C3=B8?=.pdf""#, "Fø.pdf"),
    ("filename*=UTF-8''R%C3%A4kning.pdf", "Räkning.pdf"),
    ("filename*=iso-8859-1'sv'R%E4kning.pdf", "Räkning.pdf"),
    ("filename*0=\"a\"; filename*1=\"b.pdf\"", "ab.pdf"),
    ("filename*0*=utf-8''%C3; filename*1*=%A4.pdf", "ä.pdf"),
    ("filename*=plain.pdf", "plain.pdf"), (#"filename="a\"b.pdf""#, #"a"b.pdf"#),
    (#"filename="open.pdf"#, "open.pdf"),
    ("filename=old.pdf; filename*=utf-8''new.pdf", "new.pdf"), ("(note) ; filename=(x)a.pdf", "a.pdf"),
    ("filename*=utf-8''100%.pdf", "100%.pdf"), ("", ""), ("filename=\"a\u{7}b.pdf\"", "ab.pdf"),
    ("filename=\"a;b.pdf\"; size=3", "a;b.pdf"),
  ])
  func `file names`(parameters: String, name: String) {
    #expect(parse("Content-Disposition: attachment; \(parameters)\n\nx").filename == name)
  }

  @Test func `a name of the content type serves where the disposition has none`() {
    let part = parse("Content-Type: application/pdf; name=\"b.pdf\"\nContent-Disposition: attachment\n\nx")
    #expect(part.filename == "b.pdf" && part.isAttachment)
  }

  @Test(arguments: [
    ("=?utf-8?B?w6U=?= =?utf-8?q?=C3=A4_x?=", "åä x"), ("=?utf-8?Q?=C3?= =?utf-8?Q?=A5?=", "å"),
    ("a =?iso-8859-1*sv?q?=F6?= b", "a ö b"), ("=?utf-8?x?y?=", "=?utf-8?x?y?="), ("=?broken", "=?broken"),
    ("=?windows-1252?q?=80_=92?=", "€ ’"), ("=?utf-8?q?a?=\t=?iso-8859-1?q?=E9?=", "aé"),
    ("=?utf-8?q?a?=  ", "a  "),
  ])
  func `encoded words`(text: String, decoded: String) { #expect(EncodedWord.decode(text) == decoded) }

  @Test func `quoted-printable keeps broken escapes and drops trailing blanks`() {
    let text = Array("a=3D=\nb \t\nc=ZZ=\r\nd=e4=".utf8)
    #expect(QuotedPrintable.decode(text[...]) == Array("a=b\nc=ZZd".utf8) + [0xE4])
  }

  @Test func `base64 with padding in its middle, and other characters, decodes`() {
    #expect(LenientBase64.decode("QQ==QQ==".utf8) == Array("AA".utf8))
    #expect(LenientBase64.decode("QU\r\n!JD".utf8) == Array("ABC".utf8))
    #expect(LenientBase64.decode("!!".utf8) == nil && LenientBase64.decode("".utf8) == [])
    #expect(parse("Content-Transfer-Encoding: base64\n\nQQ==QQ==").text == "AA")
  }

  @Test func `8-bit headers are UTF-8, or else Windows-1252`() {
    let western = MIMEParser.parse(Array("Subject: R".utf8) + [0xE4] + Array("kning\n\n".utf8))
    #expect(western.headers["Subject"] == "Räkning")
    #expect(parse("Subject: Räkning\n\n").headers["Subject"] == "Räkning")
  }

  @Test func `headers unfold, keep their order, and pass over lines that are none`() {
    let headers = parse("From mbox line\nA: 1\n\t2\nnot a field\na: 3\n\nB: 4").headers
    #expect(headers.values(of: "A") == ["1\t2", "3"] && headers["B"] == nil)
  }

  @Test(arguments: [
    "", "\n", "Content-Type: multipart/mixed; boundary=x\n\n--x", "Content-Type: multipart/mixed\n\nx",
    "Content-Type: multipart/mixed; boundary=x\n\nno delimiter", ":\n\n", "Content-Type: ///;;;=\n\nx",
    "Content-Type: multipart/mixed; boundary=x\n\n--x--", "Content-Type: text/plain; charset=\n\n\u{FFFD}",
  ])
  func `any text gives some message`(text: String) {
    let part = parse(text)
    #expect(part.children.count <= 1)
  }

  @Test func `endless nesting ends`() {
    let deep = String(repeating: "Content-Type: message/rfc822\n\n", count: 500) + "x"
    #expect(parse(deep).flattened(intoMessages: true).count <= 60)
    let many = "Content-Type: multipart/mixed; boundary=x\n\n" + String(repeating: "--x\n\na\n", count: 3000)
    #expect(parse(many).children.count < 1001)
  }

  @Test(arguments: [
    ("Wed, 17 Jul 2024 08:12:05 +0200", 1_721_196_725), ("17 Jul 2024 06:12:05 GMT", 1_721_196_725),
    ("Wed, 17 Jul 24 06:12 +0000 (UTC)", 1_721_196_720), ("Tue, 16 Jul 2024 23:12:05 -0700", 1_721_196_725),
    ("Tue, 16 Jul 2024 23:12:05 PDT", 1_721_196_725), ("1 Jan 1970 00:00:00 -0000", 0),
    ("Mon, 31 Dec 99 23:59:59 +0000", 946_684_799),
  ])
  func `dates of mail`(text: String, seconds: Int64) { #expect(MailDate.parse(text)?.seconds == seconds) }

  @Test(arguments: [
    "", "yesterday", "Wed, 31 Jun 2024 08:12:05 +0200", "Wed, 17 Jul 2024 25:00:00 +0000", "1 2 3 4",
  ])
  func `what is no date`(text: String) { #expect(MailDate.parse(text) == nil) }

  @Test func `visible text of HTML`() {
    let html =
      "<head><title>t</title></head><style>x{}</style><p>A&amp;B&nbsp;&#229;&#xe4;&unknown;<br>C<!-- d --></p>"
    #expect(VisibleText.of(html: html).split(separator: " ").joined(separator: " ") == "A&B åä&unknown; C")
  }
}
