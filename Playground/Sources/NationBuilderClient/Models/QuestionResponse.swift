/// An answer to one of a survey's questions.
public struct QuestionResponse: Codable, Hashable, Sendable {
    /// The question's identifier.
    public var questionId: UInt
    /// The response.
    public var response: String

    /// Makes one; what is nil is not sent.
    public init(questionId: UInt, response: String) {
        self.questionId = questionId
        self.response = response
    }
}
