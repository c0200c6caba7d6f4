package dev.tilewright.api.platform.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/** Something that is asked of every request before any feature sees it. */
interface RequestRule {

    /** Why the request is refused; empty if it is not. */
    Optional<HttpProblem> refusal(HttpServletRequest request);
}
