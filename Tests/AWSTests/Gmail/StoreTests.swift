import Testing

/// Tests of the stores on moto, one after the other: they share one server, which answers one request at a time.
@Suite("Stores on AWS", .serialized)
enum StoreTests {}
