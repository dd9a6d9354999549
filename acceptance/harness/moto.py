"""An AWS to test against: one `moto` for the run, and worlds in it that know nothing of each other."""

import functools
import os
import sys

import boto3
from botocore.config import Config

from . import scratch
from .programs import Program

_repository = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
KEY, SECRET = "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
TOKEN = "a session/token+of=a role"

JWT_SECRET = "PayPulseAppJWTSecret"
CLIENT_ID_SECRET = "Google-OAuth-Client-ID"
USERS, OWN, KEY_ALIAS = "Users", "PayPulse", "alias/paypulse-tokens"


@functools.cache
def endpoint() -> str:
    """Where the run's `moto` listens; started for the first who asks."""
    script = os.path.join(_repository, "acceptance", "aws", "serial_moto.py")
    return Program(sys.executable, [script]).address()


class World:
    """An AWS of its own: a region that no one else has, with the tables, the key and the queue that a deployment has."""

    def __init__(self, tables: bool = True):
        self.region = f"eu-world-{scratch.number()}"
        self.endpoint = endpoint()
        self.dynamodb = self.client("dynamodb")
        self.secrets = self.client("secretsmanager")
        self.sqs = self.client("sqs")
        if tables:
            self._make_tables()
        kms = self.client("kms")
        kms.create_alias(AliasName=KEY_ALIAS, TargetKeyId=kms.create_key()["KeyMetadata"]["KeyId"])
        self.queue = self.sqs.create_queue(QueueName="paypulse-grants")["QueueUrl"]

    def client(self, service: str):
        """A client of boto3's."""
        return boto3.client(
            service, region_name=self.region, endpoint_url=self.endpoint, aws_access_key_id=KEY,
            aws_secret_access_key=SECRET, aws_session_token=TOKEN,
            config=Config(retries={"max_attempts": 1}, parameter_validation=False))

    @property
    def environment(self) -> dict[str, str]:
        """What a function's process finds in its environment."""
        return {"AWS_ENDPOINT_URL": self.endpoint, "AWS_REGION": self.region, "AWS_DEFAULT_REGION": self.region,
                "AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET, "AWS_SESSION_TOKEN": TOKEN,
                "PAYPULSE_GRANTS_QUEUE_URL": self.queue}

    def _make_tables(self) -> None:
        def text(*names):
            return [{"AttributeName": name, "AttributeType": "S"} for name in names]

        def keys(*names):
            return [{"AttributeName": name, "KeyType": kind} for name, kind in zip(names, ("HASH", "RANGE"))]
        self.dynamodb.create_table(
            TableName=USERS, BillingMode="PAY_PER_REQUEST", AttributeDefinitions=text("UserID", "Email"),
            KeySchema=keys("UserID"), GlobalSecondaryIndexes=[{
                "IndexName": "Email-index", "KeySchema": keys("Email"), "Projection": {"ProjectionType": "ALL"}}])
        self.dynamodb.create_table(
            TableName=OWN, BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=text("PK", "SK", "Queue") + [{"AttributeName": "At", "AttributeType": "N"}],
            KeySchema=keys("PK", "SK"), GlobalSecondaryIndexes=[{
                "IndexName": "ByTime", "KeySchema": keys("Queue", "At"), "Projection": {"ProjectionType": "KEYS_ONLY"}}])

    # Configuration

    def put_secret(self, name: str, value: str) -> None:
        """Gives a secret this value, whether it was there or not."""
        try:
            self.secrets.create_secret(Name=name, SecretString=value)
        except self.secrets.exceptions.ResourceExistsException:
            self.secrets.put_secret_value(SecretId=name, SecretString=value)

    # Looking at it

    def items(self, table: str = OWN) -> list[dict]:
        """Every item of a table."""
        found, more = [], {}
        while True:
            page = self.dynamodb.scan(TableName=table, ConsistentRead=True, **more)
            found += page["Items"]
            if "LastEvaluatedKey" not in page:
                return found
            more = {"ExclusiveStartKey": page["LastEvaluatedKey"]}

    def messages(self) -> list[dict]:
        """What is in the queue, taken out of it, in the form in which Lambda hands it over."""
        taken = []
        while found := self.sqs.receive_message(
                QueueUrl=self.queue, MaxNumberOfMessages=10, WaitTimeSeconds=0, AttributeNames=["All"]).get("Messages"):
            for each in found:
                self.sqs.delete_message(QueueUrl=self.queue, ReceiptHandle=each["ReceiptHandle"])
            taken += found
        return taken


def queue_event(messages: list[dict], region: str) -> dict:
    """The event that Lambda makes of messages."""
    return {"Records": [{
        "messageId": each["MessageId"], "receiptHandle": each.get("ReceiptHandle", "x"), "body": each["Body"],
        "attributes": {"ApproximateReceiveCount": "1", "SentTimestamp": "1545082649183", "SenderId": "AIDAIENQZJOLO23YVJ4VO",
                       "ApproximateFirstReceiveTimestamp": "1545082649185"},
        "messageAttributes": {}, "md5OfBody": each.get("MD5OfBody", ""), "eventSource": "aws:sqs",
        "eventSourceARN": f"arn:aws:sqs:{region}:123456789012:paypulse-grants", "awsRegion": region,
    } for each in messages]}


def schedule_event(region: str) -> dict:
    """The event of a rule with a schedule."""
    return {"version": "0", "id": "53dc4d37-cffa-4f76-80c9-8b7d4a4d2eaa", "detail-type": "Scheduled Event",
            "source": "aws.events", "account": "123456789012", "time": "2026-10-08T16:53:06Z", "region": region,
            "resources": [f"arn:aws:events:{region}:123456789012:rule/paypulse-sweep"], "detail": {}}
