"""Makes messages to put into a mailbox."""

import email.policy
import email.utils
from email.message import EmailMessage


def message(subject="Hyresavi", sender="Hyresbolaget <avi@hyresbolaget.example>", to="alice@example.com",
            text="Din hyresavi för maj är bifogad.", html=None, attachments=(), date=1_770_000_000, message_id=None):
    """A message as bytes. `attachments` holds (name, media type, bytes); `date` is seconds since 1970."""
    mail = EmailMessage(policy=email.policy.SMTP)
    mail["From"] = sender
    mail["To"] = to
    mail["Subject"] = subject
    mail["Date"] = email.utils.formatdate(date)
    mail["Message-ID"] = message_id or email.utils.make_msgid(domain="hyresbolaget.example")
    mail.set_content(text)
    if html:
        mail.add_alternative(html, subtype="html")
    for name, media_type, content in attachments:
        main, sub = media_type.split("/")
        mail.add_attachment(content, maintype=main, subtype=sub, filename=name)
    return mail.as_bytes()
