/// A survey.
public struct Survey: Codable, Hashable, Sendable {
    /// The service's identifier.
    public var id: UInt?
    /// The name.
    public var name: String
    /// The slug.
    public var slug: String?

    /// Creates one; nil values are not sent.
    public init(id: UInt? = nil, name: String, slug: String? = nil) {
        self.id = id
        self.name = name
        self.slug = slug
    }
}

/// A person's responses to a survey.
public struct SurveyResponse: Codable, Hashable, Sendable {
    /// The person's identifier.
    public var personId: UInt
    /// The question responses.
    public var questionResponses: [QuestionResponse]
    /// The survey's identifier.
    public var surveyId: UInt

    /// Creates one; nil values are not sent.
    public init(personId: UInt, questionResponses: [QuestionResponse], surveyId: UInt) {
        self.personId = personId
        self.questionResponses = questionResponses
        self.surveyId = surveyId
    }
}

/// A response to one of a survey's questions.
public struct QuestionResponse: Codable, Hashable, Sendable {
    /// The question's identifier.
    public var questionId: UInt
    /// The response; of a number its digits, and nil for a question without one.
    public var response: String?

    /// Creates one; nil values are not sent.
    public init(questionId: UInt, response: String?) {
        self.questionId = questionId
        self.response = response
    }

    /// Decodes one.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        questionId = try container.decode(UInt.self, forKey: .questionId)
        response = try container.decodeText(forKey: .response)
    }
}
