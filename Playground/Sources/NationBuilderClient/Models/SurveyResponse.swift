/// Somebody's answers to a survey.
public struct SurveyResponse: Codable, Hashable, Sendable {
    /// The person's identifier.
    public var personId: UInt
    /// The question responses.
    public var questionResponses: [QuestionResponse]
    /// The survey's identifier.
    public var surveyId: UInt

    /// Makes one; what is nil is not sent.
    public init(personId: UInt, questionResponses: [QuestionResponse], surveyId: UInt) {
        self.personId = personId
        self.questionResponses = questionResponses
        self.surveyId = surveyId
    }
}
