package dev.tilewright.api.web;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.api.platform.http.ProblemType;
import dev.tilewright.model.problem.Suggestion;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Arrays;
import java.util.List;
import org.springframework.http.HttpStatus;

/** A form that comes back with what is wrong with it. */
public final class WrongForm {

    private WrongForm() {}

    /**
     * The faults of a form, whose page then answers with 422. Behind a name that is not known stands the one that may
     * have been meant.
     *
     * @param ofTheForm what somebody who fills the form in can mend
     * @throws ApiProblem the same, if it is of no such type: it has a page of its own
     */
    public static List<Fault> faults(ApiProblem refused, HttpServletResponse response, ProblemType... ofTheForm) {
        if (!Arrays.asList(ofTheForm).contains(refused.type())) {
            throw refused;
        }
        response.setStatus(HttpStatus.UNPROCESSABLE_CONTENT.value());
        return refused.faults().stream()
                .map(fault -> new Fault(fault.pointer(), Suggestion.to(fault.detail())))
                .toList();
    }
}
