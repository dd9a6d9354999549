"""docs/cost.md as numbers: its tables, and the monthly bill that follows from them."""

import re
from pathlib import Path

DOCUMENT = Path(__file__).parents[2] / "docs" / "cost.md"
VAULTS = ("secrets-manager", "dynamodb")


def tables() -> dict[str, list[dict[str, str]]]:
    """Every table by the heading above it, its rows by their columns' names."""
    found: dict[str, list[dict[str, str]]] = {}
    heading, columns = "", None
    for line in DOCUMENT.read_text().splitlines():
        if line.startswith("#"):
            heading, columns = line.lstrip("# "), None
        elif line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if columns is None:
                columns = cells
                found[heading] = []
            elif not set("".join(cells)) <= set("-: "):
                found[heading].append(dict(zip(columns, cells, strict=True)))
    return found


def number(text: str) -> float:
    """A number as the document writes it: `$`, thousands and what is in brackets left out."""
    return float(re.sub(r"\(.*?\)|[$,]", "", text).strip())


def prices() -> dict[str, float]:
    """Dollars for one of each."""
    return {row["What"]: number(row["Price"]) / number(row["for"]) for row in tables()["Prices"]}


def requests(vault: str) -> dict[str, dict[str, int]]:
    """What each action asks of AWS."""
    return {row["Action"]: {column: int(cell) for column, cell in row.items() if column != "Action"}
            for row in tables()[f"Requests with the vault `{vault}`"]}


def monthly(vault: str, users: int) -> dict[str, float]:
    """The bill of a month by service."""
    price, asked = prices(), requests(vault)
    bill = dict.fromkeys(
        ("Secrets", "Secrets Manager requests", "KMS", "DynamoDB", "Lambda", "HTTP API", "SQS", "Logs"), 0.0)
    for row in tables()["What a user does"]:
        times = users * number(row["Times a month"])
        of = asked[row["Action"]]
        bill["Secrets Manager requests"] += times * of["Secrets Manager"] * price["Secrets Manager request"]
        bill["KMS"] += times * of["KMS"] * price["KMS request"]
        bill["DynamoDB"] += times * (
            of["Read units"] * price["DynamoDB read unit"] + of["Write units"] * price["DynamoDB write unit"])
        seconds = number(row["Seconds"]) * number(row["GB"])
        bill["Lambda"] += times * (price["Lambda request"] + seconds * price["Lambda GB-second"])
        if row["Through"] == "HTTP API":
            bill["HTTP API"] += times * price["HTTP API request"]
        else:
            # Sent, received, deleted.
            bill["SQS"] += 3 * times * price["SQS request"]
        bill["Logs"] += times * number(row["Log KB"]) / 1e6 * price["Log GB"]
    stored = {row["What"]: number(row["Number"]) for row in tables()["What is kept"]}
    if vault == "secrets-manager":
        bill["Secrets"] += users * stored["Secrets a user"] * price["Secret and month"]
    bill["Secrets"] += stored["Configuration secrets"] * price["Secret and month"]
    bill["KMS"] += stored["KMS keys"] * price["KMS key and month"]
    bill["DynamoDB"] += users * stored["KB of items a user, " + vault] / 1e6 * (
        price["DynamoDB GB and month"] + price["DynamoDB backup GB and month"])
    return bill


def dollars(amount: float, places: int = 2) -> str:
    """As the document writes it."""
    return f"${amount:,.{places}f}"


SIZES = (1_000, 100_000, 10_000_000)


def summary() -> str:
    """The table of totals."""
    lines = ["| Users | " + " | ".join(VAULTS) + " |", "|---|---|---|"]
    for users in SIZES:
        totals = [sum(monthly(vault, users).values()) for vault in VAULTS]
        lines.append(f"| {users:,} | " + " | ".join(
            f"{dollars(each)} ({dollars(each / users, 4)} a user)" for each in totals) + " |")
    return "\n".join(lines) + "\n"


def bills() -> str:
    """A table of services for each number of users."""
    text = []
    for users in SIZES:
        both = [monthly(vault, users) for vault in VAULTS]
        text += [f"### {users:,} users", "", "| A month | " + " | ".join(VAULTS) + " |", "|---|---|---|"]
        text += [f"| {service} | " + " | ".join(dollars(bill[service]) for bill in both) + " |" for service in both[0]]
        text += ["| **Together** | " + " | ".join(f"**{dollars(sum(bill.values()))}**" for bill in both) + " |", ""]
    return "\n".join(text[:-1]) + "\n"


if __name__ == "__main__":
    # Writes what follows from the other tables into the document.
    document = DOCUMENT.read_text()
    document = re.sub(r"(?<=## In short\n\n)(\|.*\n)+", lambda _: summary(), document)
    document = re.sub(r"(?<=## Bills\n\n)(?s:.*)", lambda _: bills(), document)
    DOCUMENT.write_text(document)
