import SimpleNetworking

extension NationEndpoint where Value == [Survey] {
    /// The surveys of a site.
    public static func surveys(ofSite slug: String) -> Self {
        .fetch("/sites/\(segment(slug))/pages/surveys", at: "results")
    }
}

extension NationEndpoint where Value == Survey {
    /// Adds a survey to a site.
    public static func create(_ survey: Survey, onSite slug: String) -> Self {
        .create("/sites/\(segment(slug))/pages/surveys", ["survey": survey], at: "survey")
    }

    /// Changes a survey.
    public static func save(_ survey: Survey, as id: UInt, onSite slug: String) -> Self {
        .save("/sites/\(segment(slug))/pages/surveys/\(id)", ["survey": survey], at: "survey")
    }
}

extension NationEndpoint where Value == [SurveyResponse] {
    /// The responses to a survey, page by page.
    public static func responses(toSurvey id: UInt) -> Self {
        .fetch("/survey_responses", ["survey_id": id], at: "results")
    }
}

extension NationEndpoint where Value == SurveyResponse {
    /// Adds a person's responses.
    public static func create(_ response: SurveyResponse) -> Self {
        .create("/survey_responses", ["survey_response": response], at: "survey_response")
    }
}

extension NationEndpoint where Value == NoResults {
    /// Removes a survey.
    public static func deleteSurvey(_ id: UInt, onSite slug: String) -> Self {
        .delete("/sites/\(segment(slug))/pages/surveys/\(id)")
    }
}
