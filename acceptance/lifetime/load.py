"""People at work against a server that dies: what they were answered, and what may have become of the rest."""

import http.client
import random
import threading

from harness.users import User


class Person:
    """A user, and what their connection has to be like: the Google account that was last answered 2xx, or none.
    After a request without an answer both the old and the new state are possible."""

    def __init__(self, user: User):
        self.user = user
        self.possible: set[str | None] = {None}
        self.current: dict | None = None
        self.unanswered: list[dict] = []
        self.turn = 0


class Load:
    """Workers that sign up, connect, switch and disconnect while the gate is open."""

    def __init__(self, server, google, people: int, seed: int):
        self.server, self.google, self.random = server, google, random.Random(seed)
        self.people = [Person(server.someone()) for _ in range(people)]
        self.signed_up: list[User] = []
        self.owed: list[tuple[str, str]] = []  # Google accounts that were let go of, with their refresh token.
        self.answered = 0
        self.problems: list[str] = []
        self._open, self._ended = threading.Event(), threading.Event()
        self._lock, self._busy = threading.Condition(), 0
        share = len(self.people) // 3
        work = [lambda: self._each(self.people[:share]), lambda: self._each(self.people[share:2 * share]),
                lambda: self._each(self.people[2 * share:]), self._sign_up]
        self._threads = [threading.Thread(target=self._run, args=(each,)) for each in work]
        for thread in self._threads:
            thread.start()

    def run_until(self, answers: int, sign_ups: int, seconds: float) -> None:
        """Lets everyone work until so many requests and sign-ups more were answered, or the time is over."""
        with self._lock:
            goal, crowd = self.answered + answers, len(self.signed_up) + sign_ups
            self._open.set()
            self._lock.wait_for(lambda: self.answered >= goal and len(self.signed_up) >= crowd, seconds)

    def pause(self) -> None:
        """Returns when nobody has a request under way."""
        self._open.clear()
        with self._lock:
            assert self._lock.wait_for(lambda: self._busy == 0, 30)

    def end(self) -> None:
        self._ended.set()
        self._open.set()
        for thread in self._threads:
            thread.join(30)

    def _run(self, work) -> None:
        while not self._ended.is_set():
            if not self._open.wait(0.1):
                continue
            with self._lock:
                if not self._open.is_set():
                    continue
                self._busy += 1
            try:
                work()
            except Exception as problem:  # Shown by the test; a thread would swallow it.
                self.problems.append(repr(problem))
            finally:
                with self._lock:
                    self._busy -= 1
                    self._lock.notify_all()

    def _answer(self, send):
        """The reply, or none when the server died before it."""
        try:
            reply = send()
        except (OSError, http.client.HTTPException):
            return None
        if reply.status >= 300:
            self.problems.append(repr(reply))
            return None
        with self._lock:
            self.answered += 1
            self._lock.notify_all()
        return reply

    def _sign_up(self) -> None:
        body = User.fresh()
        reply = self._answer(lambda: self.server.post("/v1/auth/signup", body))
        if reply:
            user = User(self.server, body["email"], body["name"], body["password"], reply.data["access_token"])
            with self._lock:
                self.signed_up.append(user)
                self._lock.notify_all()

    def _each(self, people: list[Person]) -> None:
        person = self.random.choice(people)
        if len(person.possible) > 1:
            return  # Looked at when the server is back.
        if person.current and self.random.random() < 0.5:
            self._disconnect(person)
        else:
            self._connect(person)

    def _connect(self, person: Person) -> None:
        """Each time another Google account, so that what was let go of can be told from what is held."""
        person.turn += 1
        email = f"{person.turn}-{person.user.gmail}"
        tokens = self.google.mint(email) | {"email": email}
        person.possible.add(email)
        person.unanswered = [tokens]
        if self._answer(lambda: person.user.upload(tokens)):
            self.settle(person, email)

    def _disconnect(self, person: Person) -> None:
        person.possible.add(None)
        if self._answer(person.user.disconnect):
            self.settle(person, None)

    def settle(self, person: Person, email: str | None) -> None:
        """Now it is known which Google account the person holds."""
        if person.current and person.current["email"] != email:
            self.owed.append((person.current["email"], person.current["refresh_token"]))
            person.current = None
        if email and not person.current:
            person.current = next(tokens for tokens in person.unanswered if tokens["email"] == email)
        person.unanswered = []
        person.possible = {email}
