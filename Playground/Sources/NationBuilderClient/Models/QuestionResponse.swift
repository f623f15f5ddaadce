/// An answer to one of a survey's questions.
public struct QuestionResponse: Codable, Hashable, Sendable {
    /// The question's identifier.
    public var questionId: UInt
    /// The response; of a number its digits, and nil for a question without one.
    public var response: String?

    /// Makes one; what is nil is not sent.
    public init(questionId: UInt, response: String?) {
        self.questionId = questionId
        self.response = response
    }

    /// Reads one.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        questionId = try container.decode(UInt.self, forKey: .questionId)
        response = try container.decodeText(forKey: .response)
    }
}
