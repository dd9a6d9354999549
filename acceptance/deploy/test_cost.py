"""docs/cost.md adds up."""

import pytest

from . import cost

USERS = {"1,000 users": 1_000, "100,000 users": 100_000, "10,000,000 users": 10_000_000}


@pytest.mark.parametrize("size", USERS)
@pytest.mark.parametrize("vault", cost.VAULTS)
def test_each_bill_follows_from_the_tables(size, vault):
    bill = cost.monthly(vault, USERS[size])
    rows = {row["A month"]: row[vault].strip("*") for row in cost.tables()[size]}
    assert {name: text for name, text in rows.items() if name != "**Together**"} == {
        name: cost.dollars(amount) for name, amount in bill.items()}
    assert rows["**Together**"] == cost.dollars(sum(bill.values()))


def test_the_summary_is_that_of_the_bills():
    for row in cost.tables()["In short"]:
        for vault in cost.VAULTS:
            total = sum(cost.monthly(vault, int(cost.number(row["Users"]))).values())
            assert row[vault] == f"{cost.dollars(total)} ({cost.dollars(total / cost.number(row['Users']), 4)} a user)"


def test_every_action_is_counted_and_reckoned_with():
    does = [row["Action"] for row in cost.tables()["What a user does"]]
    for vault in cost.VAULTS:
        assert list(cost.requests(vault)) == does
