// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Declarations of SwiftUI: only what the app uses, without behaviour and with overloads left out. Written from
// https://developer.apple.com/documentation/swiftui.
import Foundation
import Observation

// MARK: App and View

@MainActor public protocol App {
  associatedtype Body: Scene
  @SceneBuilder var body: Body { get }
  init()
}
extension App { public static func main() { fatalError() } }

@MainActor public protocol Scene {}
@resultBuilder public enum SceneBuilder { public static func buildBlock<S: Scene>(_ scene: S) -> S { scene } }
public struct WindowGroup<Content: View>: Scene { public init(@ViewBuilder content: () -> Content) {} }
public enum ScenePhase { case background, inactive, active }

@MainActor public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}
extension Never: View { public var body: Never { fatalError() } }
public protocol Leaf: View where Body == Never {}
extension Leaf { public var body: Never { fatalError() } }
extension Optional: View where Wrapped: View { public var body: Never { fatalError() } }
public struct EmptyView: Leaf { public init() {} }
public struct TupleView<each Content: View>: Leaf {}
public struct Either<First: View, Second: View>: Leaf {}
public struct Modified<Content: View>: Leaf {}

@resultBuilder public enum ViewBuilder {
  public static func buildExpression<V: View>(_ view: V) -> V { view }
  public static func buildBlock() -> EmptyView { fatalError() }
  public static func buildBlock<V: View>(_ view: V) -> V { view }
  public static func buildBlock<each V: View>(_ view: repeat each V) -> TupleView<repeat each V> {
    fatalError()
  }
  public static func buildIf<V: View>(_ view: V?) -> V? { view }
  public static func buildEither<A: View, B: View>(first: A) -> Either<A, B> { fatalError() }
  public static func buildEither<A: View, B: View>(second: B) -> Either<A, B> { fatalError() }
}

// MARK: State

@MainActor @propertyWrapper public struct State<Value> {
  public init(wrappedValue: Value) {}
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set { fatalError() }
  }
  public var projectedValue: Binding<Value> { fatalError() }
}
@MainActor @propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {}
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set { fatalError() }
  }
  public var projectedValue: Binding<Value> { fatalError() }
  public subscript<Member>(dynamicMember path: WritableKeyPath<Value, Member>) -> Binding<Member> {
    fatalError()
  }
}
@MainActor @propertyWrapper @dynamicMemberLookup public struct Bindable<Value: AnyObject & Observable> {
  public init(wrappedValue: Value) {}
  public var wrappedValue: Value {
    get { fatalError() }
    set {}
  }
  public var projectedValue: Bindable<Value> { fatalError() }
  public subscript<Member>(dynamicMember path: ReferenceWritableKeyPath<Value, Member>) -> Binding<Member> {
    fatalError()
  }
}
@MainActor @propertyWrapper public struct Environment<Value> {
  public init(_ path: KeyPath<EnvironmentValues, Value>) {}
  public var wrappedValue: Value { fatalError() }
}
public struct EnvironmentValues {
  public var scenePhase: ScenePhase { fatalError() }
}

// MARK: Values

public struct LocalizedStringKey: ExpressibleByStringLiteral {
  public init(_ value: String) {}
  public init(stringLiteral value: String) {}
}
public enum ButtonRole { case destructive, cancel }
public enum Visibility { case automatic, visible, hidden }
public struct AccessibilityChildBehavior {
  public static var combine: AccessibilityChildBehavior { fatalError() }
}
public struct TextInputAutocapitalization {
  public static var never: TextInputAutocapitalization { fatalError() }
}
public struct UITextContentType {
  public static var username: UITextContentType { fatalError() }
  public static var password: UITextContentType { fatalError() }
  public static var newPassword: UITextContentType { fatalError() }
  public static var name: UITextContentType { fatalError() }
}
public enum UIKeyboardType { case emailAddress }
public protocol PrimitiveButtonStyle {}
public struct BorderedProminentButtonStyle: PrimitiveButtonStyle {}
extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
  public static var borderedProminent: Self { fatalError() }
}

// MARK: Views

public struct Text: Leaf {
  public init(_ key: LocalizedStringKey) {}
  public init(verbatim content: String) {}
}
public struct Image: Leaf { public init(systemName: String) {} }
public struct Label<Title: View, Icon: View>: Leaf {
  public init(@ViewBuilder title: () -> Title, @ViewBuilder icon: () -> Icon) {}
}
extension Label where Title == Text, Icon == Image {
  public init(_ key: LocalizedStringKey, systemImage: String) {}
}
public struct NavigationLink<Content: View, Destination: View>: Leaf {
  public init(@ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Content) {}
}
extension NavigationLink where Content == Text {
  public init(_ key: LocalizedStringKey, @ViewBuilder destination: () -> Destination) {}
}
public struct ProgressView: Leaf {
  public init() {}
  public init(_ key: LocalizedStringKey) {}
}
public struct Button<Content: View>: Leaf {
  public init(
    role: ButtonRole? = nil, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Content
  ) {}
}
extension Button where Content == Text {
  public init(_ key: LocalizedStringKey, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void) {}
}
extension Button where Content == Label<Text, Image> {
  public init(
    _ key: LocalizedStringKey, systemImage: String, role: ButtonRole? = nil,
    action: @escaping @MainActor () -> Void
  ) {}
}
public struct TextField: Leaf { public init(_ key: LocalizedStringKey, text: Binding<String>) {} }
public struct SecureField: Leaf { public init(_ key: LocalizedStringKey, text: Binding<String>) {} }
public struct LabeledContent<Content: View>: Leaf {
  public init(_ key: LocalizedStringKey, @ViewBuilder content: () -> Content) {}
}
extension LabeledContent where Content == Text {
  public init<S: StringProtocol>(_ key: LocalizedStringKey, value: S) {}
}
public struct Group<Content: View>: Leaf { public init(@ViewBuilder content: () -> Content) {} }
public struct Form<Content: View>: Leaf { public init(@ViewBuilder content: () -> Content) {} }
public struct NavigationStack<Content: View>: Leaf { public init(@ViewBuilder content: () -> Content) {} }
public struct Section<Content: View>: Leaf { public init(@ViewBuilder content: () -> Content) {} }
extension Section {
  public init<Footer: View>(@ViewBuilder content: () -> Content, @ViewBuilder footer: () -> Footer) {}
  public init(_ key: LocalizedStringKey, @ViewBuilder content: () -> Content) {}
}
public struct ContentUnavailableView: Leaf {
  public init(_ key: LocalizedStringKey, systemImage: String, description: Text?) {}
}

// MARK: Modifiers

extension View {
  public func accessibilityElement(children: AccessibilityChildBehavior) -> Modified<Self> { fatalError() }
  public func accessibilityHidden(_ hidden: Bool) -> Modified<Self> { fatalError() }
  public func accessibilityHint(_ key: LocalizedStringKey) -> Modified<Self> { fatalError() }
  public func accessibilityLabel(_ key: LocalizedStringKey) -> Modified<Self> { fatalError() }
  public func autocorrectionDisabled() -> Modified<Self> { fatalError() }
  public func buttonStyle(_ style: some PrimitiveButtonStyle) -> Modified<Self> { fatalError() }
  public func confirmationDialog<A: View, M: View>(
    _ key: LocalizedStringKey, isPresented: Binding<Bool>, titleVisibility: Visibility = .automatic,
    @ViewBuilder actions: () -> A, @ViewBuilder message: () -> M
  ) -> Modified<Self> { fatalError() }
  public func disabled(_ disabled: Bool) -> Modified<Self> { fatalError() }
  public func keyboardType(_ type: UIKeyboardType) -> Modified<Self> { fatalError() }
  public func navigationTitle(_ key: LocalizedStringKey) -> Modified<Self> { fatalError() }
  public func onChange<V: Equatable>(of value: V, _ action: @escaping (V, V) -> Void) -> Modified<Self> {
    fatalError()
  }
  public func onOpenURL(perform action: @escaping (URL) -> Void) -> Modified<Self> { fatalError() }
  public func onSubmit(_ action: @escaping () -> Void) -> Modified<Self> { fatalError() }
  public func refreshable(action: @escaping @Sendable () async -> Void) -> Modified<Self> { fatalError() }
  public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> Modified<Self> {
    fatalError()
  }
  public func task<ID: Equatable>(id: ID, _ action: @escaping @MainActor @Sendable () async -> Void)
    -> Modified<Self>
  {
    fatalError()
  }
  public func textContentType(_ type: UITextContentType?) -> Modified<Self> { fatalError() }
  public func textInputAutocapitalization(_ value: TextInputAutocapitalization?) -> Modified<Self> {
    fatalError()
  }
  public func textSelection(_ selectability: EnabledTextSelectability) -> Modified<Self> { fatalError() }
  public func toolbar<C: View>(@ViewBuilder content: () -> C) -> Modified<Self> { fatalError() }
}
public struct EnabledTextSelectability {}
extension EnabledTextSelectability { public static var enabled: Self { fatalError() } }
