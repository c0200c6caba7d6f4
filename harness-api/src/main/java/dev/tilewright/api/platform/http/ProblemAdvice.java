package dev.tilewright.api.platform.http;

import dev.tilewright.api.platform.database.RefusedValue;
import dev.tilewright.api.platform.database.TimeLimit;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.dao.UncategorizedDataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.transaction.TransactionException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.NoHandlerFoundException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DatabindException;

/** Turns whatever goes wrong in a request into a problem document, or into a page where a browser asks. */
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
final class ProblemAdvice extends ResponseEntityExceptionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ProblemAdvice.class);
    private static final MediaType HTML = new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8);

    private final ProblemPage page;

    ProblemAdvice(ProblemPage page) {
        this.page = page;
    }

    @ExceptionHandler
    ResponseEntity<Object> handle(ApiProblem problem, WebRequest request) {
        HttpHeaders headers = new HttpHeaders();
        if (problem.type() == ProblemType.BUSY || problem.type() == ProblemType.IN_FLIGHT) {
            headers.set(HttpHeaders.RETRY_AFTER, ProblemWriter.RETRY_SECONDS);
        }
        return answer(
                problem, problem.type(), String.valueOf(problem.getMessage()), problem.faults(), headers, request);
    }

    @ExceptionHandler({
        DataAccessResourceFailureException.class,
        TransientDataAccessException.class,
        RecoverableDataAccessException.class,
        TransactionException.class
    })
    ResponseEntity<Object> handleDatabase(Exception failure, WebRequest request) {
        LOG.warn("database: {}", failure.getMessage());
        Optional<String> limit = TimeLimit.reachedBy(failure);
        HttpHeaders headers = new HttpHeaders();
        headers.set(HttpHeaders.RETRY_AFTER, ProblemWriter.RETRY_SECONDS);
        return answer(
                failure,
                limit.isPresent() ? ProblemType.TIMED_OUT : ProblemType.UNAVAILABLE,
                limit.map(reached -> reached + "; ").orElse("")
                        + "whether anything was changed is not known; ask again, with the same Idempotency-Key if"
                        + " there was one",
                List.of(),
                headers,
                request);
    }

    /** Limits of time have SQL states that Spring does not know. */
    @ExceptionHandler
    ResponseEntity<Object> handleUncategorized(UncategorizedDataAccessException failure, WebRequest request) {
        return TimeLimit.reachedBy(failure).isPresent()
                ? handleDatabase(failure, request)
                : handleUnknown(failure, request);
    }

    /** The answer for a value that only the database refuses, such as a character that it does not take. */
    @ExceptionHandler
    ResponseEntity<Object> handleValue(DataIntegrityViolationException refused, WebRequest request) {
        return RefusedValue.isCauseOf(refused)
                ? answer(
                        refused,
                        ProblemType.INVALID,
                        "a value of the request cannot be stored",
                        List.of(),
                        new HttpHeaders(),
                        request)
                : handleUnknown(refused, request);
    }

    @ExceptionHandler
    ResponseEntity<Object> handleUnknown(Exception failure, WebRequest request) {
        LOG.error("request failed: {}", request.getDescription(false), failure);
        return answer(
                failure, ProblemType.INTERNAL, "see the log of the service", List.of(), new HttpHeaders(), request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException unreadable,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        for (Throwable cause = unreadable.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof BodyTooLargeException tooLarge) {
                return answer(unreadable, ProblemType.TOO_LARGE, tooLarge.detail(), List.of(), headers, request);
            }
        }
        if (unreadable.getCause() instanceof DatabindException mismatch) {
            ApiProblem problem = ApiProblem.invalid(List.of(JsonFaults.of(mismatch)));
            return answer(
                    unreadable,
                    problem.type(),
                    String.valueOf(problem.getMessage()),
                    problem.faults(),
                    headers,
                    request);
        }
        if (unreadable.getCause() instanceof JacksonException syntax) {
            Fault fault = JsonFaults.of(syntax);
            return answer(unreadable, ProblemType.MALFORMED_JSON, fault.detail(), List.of(fault), headers, request);
        }
        return answer(
                unreadable, ProblemType.MALFORMED_JSON, "a body of JSON is required", List.of(), headers, request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleTypeMismatch(
            TypeMismatchException mismatch, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        String name = mismatch instanceof MethodArgumentTypeMismatchException argument
                ? argument.getName()
                : String.valueOf(mismatch.getPropertyName());
        String type = mismatch.getRequiredType() == null
                ? ""
                : mismatch.getRequiredType().getSimpleName();
        Fault fault = new Fault(name, "must be a " + type + ", got '" + mismatch.getValue() + "'");
        return answer(
                mismatch,
                ProblemType.MALFORMED_REQUEST,
                name + ": " + fault.detail(),
                List.of(fault),
                headers,
                request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleNoHandlerFoundException(
            NoHandlerFoundException nothing, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        String detail = "there is nothing at " + nothing.getHttpMethod() + " " + nothing.getRequestURL();
        return answer(nothing, ProblemType.NOT_FOUND, detail, List.of(), headers, request);
    }

    /**
     * All other exceptions of Spring MVC come here with the document they would like: it gets our member
     * {@code errors}.
     */
    @Override
    protected @Nullable ResponseEntity<Object> handleExceptionInternal(
            Exception failure, @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        if (request instanceof ServletWebRequest web
                && web.getResponse() != null
                && web.getResponse().isCommitted()) {
            // Tomcat has answered already, such as to a broken chunk in the body.
            LOG.debug("answered already", failure);
            return null;
        }
        Object document = body;
        // Some exceptions bring headers that cannot be written to.
        HttpHeaders own = new HttpHeaders();
        own.putAll(headers);
        if (document instanceof ProblemDetail detail
                && (detail.getProperties() == null || !detail.getProperties().containsKey("errors"))) {
            detail.setProperty("errors", List.of());
        }
        if (document == null) {
            document = HttpProblem.detail(status, "The request failed", String.valueOf(failure.getMessage()));
        }
        if (document instanceof ProblemDetail detail
                && request instanceof ServletWebRequest web
                && web.getResponse() != null
                && PagePaths.isBrowser(web.getRequest())) {
            own.setContentType(HTML);
            String shown = page.render(web.getRequest(), web.getResponse(), HttpProblem.of(detail));
            return super.handleExceptionInternal(failure, shown, own, status, request);
        }
        own.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        return super.handleExceptionInternal(failure, document, own, status, request);
    }

    private @Nullable ResponseEntity<Object> answer(
            Exception cause,
            ProblemType type,
            String detail,
            List<Fault> faults,
            HttpHeaders headers,
            WebRequest request) {
        return handleExceptionInternal(
                cause, HttpProblem.detail(type, detail, faults), headers, type.status(), request);
    }
}
