import Glibc
import Primitives

/// The connections of a loop.
extension EventLoop {
  /// The connection of that name, unless it was closed.
  func connection(_ id: ConnectionID) -> Connection? {
    guard Int(id.descriptor) < connections.count, let connection = connections[Int(id.descriptor)],
      connection.id.generation == id.generation
    else { return nil }
    return connection
  }

  /// Looks after a new connection; from any thread.
  func adopt(_ accepted: AcceptedConnection) {
    guard isCurrent else { return post(.adopt(accepted)) }
    generation &+= 1
    let id = ConnectionID(descriptor: accepted.descriptor, generation: generation)
    guard let tls = session(for: accepted.descriptor) else { return refuse(accepted) }
    let connection = Connection(accepted, id: id, tls: tls, loop: self)
    while connections.count <= Int(id.descriptor) { connections.append(nil) }
    guard poller.addConnection(id.descriptor, token: id.token) else { return refuse(accepted) }
    connections[Int(id.descriptor)] = connection
    openCount += 1
    connection.socket.disableDelay()
    connection.begin()
    if isDraining { connection.drain() }
  }

  /// A TLS session when TLS is on; a nil inside when it is off; nil when there is no memory for one.
  private func session(for descriptor: Int32) -> TLSSession?? {
    guard let certificates else { return .some(nil) }
    return TLSSession(context: certificates.current, descriptor: descriptor)
  }

  private func refuse(_ accepted: AcceptedConnection) {
    close(accepted.descriptor)
    leave()
  }

  /// `connection` has closed its socket.
  func forget(_ connection: Connection) {
    deadlines.clear(connection.id.descriptor)
    connections[Int(connection.id.descriptor)] = nil
    openCount -= 1
    leave()
  }

  private func leave() {
    if admission.leave() { acceptingLoop?.post(.resumeAccepting) }
  }

  /// Serves nothing new and ends when what runs is done.
  func drain() {
    guard !isDraining else { return }
    isDraining = true
    drainsUntil = now + limits.drainTime.microseconds
    acceptor?.finish(on: self)
    acceptor = nil
    for connection in connections { connection?.drain() }
  }
}
