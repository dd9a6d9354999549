"""What is to happen at some time, moved to now: the function's clock is the machine's."""

from harness.moto import OWN


def _record(server, user) -> dict:
    return server.world.dynamodb.get_item(
        TableName=OWN, ConsistentRead=True,
        Key={"PK": {"S": f"USER#{user.id}"}, "SK": {"S": "CONNECTION"}})["Item"]


def make_due(server, user, *, member: str = "Connection", time: str = "NextUseAt") -> None:
    """Has the record's time be long past, where it says it and where the index does."""
    record = _record(server, user)
    assert time in record[member]["M"], record
    record[member]["M"][time] = {"N": "1"}
    record["At"] = {"N": "1"}
    record["Revision"] = {"S": "moved"}
    server.world.dynamodb.put_item(TableName=OWN, Item=record)


def make_expired(server, user) -> None:
    """The access token's time is over: the next use has to refresh."""
    record = _record(server, user)
    record["Connection"]["M"]["AccessExpiresAt"] = {"N": "1"}
    server.world.dynamodb.put_item(TableName=OWN, Item=record)
