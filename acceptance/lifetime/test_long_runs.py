"""The ends of what began with the run and takes real time; see `harness/long_runs.py`."""

import pytest

pytestmark = [pytest.mark.last(1), pytest.mark.slow]


@pytest.mark.background("a_token_endpoint_that_takes_30_seconds")
def test_e1_1000_requests_over_8_processes_cause_one_refresh_also_when_it_takes_30_seconds(background):
    background()


@pytest.mark.background("a_process_that_is_stopped_for_more_than_its_lease")
def test_34_a_process_stopped_for_over_60_s_writes_nothing_over_the_one_that_took_over(background):
    background()


@pytest.mark.background("a_sender_who_never_gets_done")
def test_a_request_has_10_seconds_to_arrive(background):
    background()
