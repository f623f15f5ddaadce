import SimpleNetworkingSupport

extension OAuthRefusal {
    /// Returns whether servers use this code or explanation for a refresh token that is no longer valid.
    static func endsSession(code: String, explanation: String?, further: Set<Code> = []) -> Bool {
        // “AADSTS700082: The refresh token has expired …”
        let start = explanation?.split(separator: ":").first?.trimmed
        let names = [code, explanation, start].compactMap { $0?.lowercased() }
        let ends = sessionEnds.union(further.map { $0.rawValue.lowercased() })
        return names.contains { ends.contains($0) }
    }

    /// The codes, in lowercase.
    private static let sessionEnds: Set<String> = [
        // RFC 6749 §5.2; RFC 6750 §3.1 and its relatives, in a response to a refresh.
        "invalid_grant", "invalid_token", "token_expired", "token_revoked", "expired_token", "token_not_valid",
        "invalid_refresh_token", "expired_refresh_token", "refresh_token_expired", "refresh_token_revoked",
        // GitHub
        "bad_refresh_token",
        // Supabase
        "refresh_token_not_found", "refresh_token_already_used", "session_not_found", "session_expired",
        "user_not_found", "user_banned",
        // OpenID Connect Core 1.0 §3.1.2.6, which Microsoft sends in token responses, too.
        "interaction_required", "login_required", "consent_required", "account_selection_required",
        // Microsoft: the token has expired or was revoked, or the user must sign in again.
        "aadsts50074", "aadsts50076", "aadsts50078", "aadsts50079", "aadsts50132", "aadsts50133", "aadsts50173",
        "aadsts65001", "aadsts70000", "aadsts70008", "aadsts70043", "aadsts700081", "aadsts700082", "aadsts700084",
        "aadb2c90080", "aadb2c90129",
        // Amazon Cognito
        "notauthorizedexception", "usernotfoundexception", "passwordresetrequiredexception",
        "refreshtokenreuseexception",
        // Firebase
        "user_disabled",
        // Slack and Salesforce
        "account_inactive", "inactive_user",
    ]
}
