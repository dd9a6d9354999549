import AWS
import Domain
import Primitives
import TestSupport
import Testing
import paypulse_lambda

@Suite("The schedule, the queue and the operator")
struct ScheduleTests {
  @Test("each grant that is due goes to the queue, and from there is used once")
  func fanOut() async throws {
    let world = try await FunctionWorld()
    let users = try await [world.connect("ann"), world.connect("bob")]
    #expect(try await world.invoke(FunctionWorld.schedule)["due"] == 0)
    world.clock.advance(by: .seconds(24 * 3600))
    #expect(try await world.invoke(FunctionWorld.schedule)["due"] == 2)
    let tasks = world.queue.tasks
    #expect(Set(tasks) == Set(users.map { .useGrant($0) }))
    let calls = world.google.calls(.token)
    #expect(try await world.deliver((tasks + tasks).map(\.message)).isEmpty)
    #expect(world.google.calls(.token) == calls + 2)
  }

  @Test("a message that cannot be done is named, and the others are done")
  func partialFailure() async throws {
    let world = try await FunctionWorld()
    let ann = try await world.connect("ann")
    world.clock.advance(by: .seconds(24 * 3600))
    let calls = world.google.calls(.token)
    let failed = try await world.deliver([
      "{}", QueuedTask.useGrant(ann).message, "not json", #"{"task":"other"}"#,
    ])
    #expect(failed.sorted() == ["0", "2", "3"])
    #expect(world.google.calls(.token) == calls + 1)
    #expect(world.log.count(of: "message_unknown") == 3)
  }

  @Test("while the store does not answer every message fails, and so does the schedule")
  func store() async throws {
    let world = try await FunctionWorld()
    let ann = try await world.connect("ann")
    world.clock.advance(by: .seconds(24 * 3600))
    world.store.isAvailable = false
    #expect(try await world.deliver([QueuedTask.useGrant(ann).message]) == ["0"])
    await #expect(throws: LambdaFailure.self) { try await world.invoke(FunctionWorld.schedule) }
    world.store.isAvailable = true
    #expect(try await world.deliver([QueuedTask.useGrant(ann).message]).isEmpty)
  }

  @Test("a queue that takes nothing fails the schedule, so that it is tried again")
  func queue() async throws {
    let world = try await FunctionWorld()
    _ = try await world.connect("ann")
    world.clock.advance(by: .seconds(24 * 3600))
    world.queue.fails = true
    await #expect(throws: LambdaFailure.self) { try await world.invoke(FunctionWorld.schedule) }
    world.queue.fails = false
    #expect(try await world.invoke(FunctionWorld.schedule)["due"] == 1)
  }

  @Test("someone who was deleted meanwhile is nothing to do")
  func deleted() async throws {
    let world = try await FunctionWorld()
    #expect(try await world.deliver([QueuedTask.useGrant(UserID("user_gone")).message]).isEmpty)
  }

  @Test("an unknown event is a failure")
  func unknown() async throws {
    let world = try await FunctionWorld()
    let failure = await #expect(throws: LambdaFailure.self) { try await world.invoke(["what": "is this"]) }
    #expect(failure?.type == "Function.UnknownEvent")
  }

  @Test("the operator's commands say the same as the server's")
  func commands() async throws {
    let world = try await FunctionWorld()
    let ann = try await world.connect("ann")
    let list = try await world.invoke(["operator": "connections"])
    #expect(list["status"] == 0)
    #expect(
      list["output"]?.array?.last?.string?.hasPrefix("ann@home.test\tconnected\t-\tann@gmail.test") ?? false)
    let check = try await world.invoke(
      ["operator": "check-connection", "email": "ann@home.test", "concurrent": 3])
    #expect(check == ["status": 0, "output": ["ann@gmail.test: 0 messages"], "complaints": []])
    #expect(try await world.invoke(["operator": "restore", "email": "ann@home.test"])["status"] == 1)
    world.google.killGrants(of: FunctionWorld.account("ann"))
    world.clock.advance(by: .seconds(3601))
    #expect(
      try await world.invoke(["operator": "check-connection", "email": "ann@home.test"])["status"] == 1)
    #expect(try await world.status(ann) == .needsReconnect)
    #expect(try await world.invoke(["operator": "restore", "email": "ann@home.test"])["status"] == 0)
    #expect(try await world.status(ann) == .connected)
  }

  @Test("the operator gives someone a new password, which ends their sessions")
  func setPassword() async throws {
    let world = try await FunctionWorld()
    let session = world.session(try await world.user())
    let set: JSONValue = ["operator": "set-password", "email": "kim@home.test", "password": "a new password"]
    #expect(try await world.invoke(set)["status"] == 0)
    #expect(try await world.request("GET", "/v1/user/me", token: session).status == 401)
    let body = #"{"email":"kim@home.test","password":"a new password"}"#
    #expect(try await world.request("POST", "/v1/auth/login", body: body).status == 200)
  }
}
