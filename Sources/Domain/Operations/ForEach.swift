/// Does `work` for each of `items`, in turn. One that fails keeps none of the others waiting; the first failure
/// is thrown at the end.
func forEach<Item, Failure: Error>(_ items: [Item], _ work: (Item) async throws(Failure) -> Void)
  async throws(Failure)
{
  var failure: Failure?
  for item in items {
    do throws(Failure) { try await work(item) } catch { failure = failure ?? error }
  }
  if let failure { throw failure }
}
