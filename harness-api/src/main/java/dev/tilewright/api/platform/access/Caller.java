package dev.tilewright.api.platform.access;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.ProblemType;
import java.security.Principal;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The sender of a request.
 *
 * @param name of the token; one in parentheses is none that can be made
 */
public record Caller(String name, Role role) implements Principal {

    /** Whoever asks a service that asks users for no token. */
    static final Caller ANYBODY = new Caller("(anybody)", Role.OPERATOR);

    /** The holder of the token that the service was started with. */
    static final Caller OPERATOR = new Caller("(operator)", Role.OPERATOR);

    /** The holder of the reader token that the service was started with. */
    static final Caller READER = new Caller("(reader)", Role.READER);

    /** The holder of the token of all workers. */
    static final Caller WORKERS = new Caller("(workers)", Role.WORKER);

    /**
     * Refuses to cancel what was submitted by somebody else.
     *
     * @param what it is, such as {@code job}
     * @param submittedBy {@code null} if that is not known
     * @throws ApiProblem 403 if the caller may cancel its own alone and this is another's
     */
    public void requireMayCancel(String what, UUID id, @Nullable String submittedBy) {
        require("cancels", what, id, submittedBy);
    }

    /** The same of deleting it. */
    public void requireMayDelete(String what, UUID id, @Nullable String submittedBy) {
        require("deletes", what, id, submittedBy);
    }

    private void require(String verb, String what, UUID id, @Nullable String submittedBy) {
        if (role != Role.OPERATOR && !name.equals(submittedBy)) {
            throw new ApiProblem(
                    ProblemType.FORBIDDEN,
                    what + " " + id + " was submitted by "
                            + (submittedBy == null ? "nobody that is known" : "'" + submittedBy + "'") + ", not by '"
                            + name + "': a submitter " + verb + " its own " + what + "s, an operator any");
        }
    }

    /**
     * Refuses to delete what was brought by somebody else.
     *
     * @throws ApiProblem 403 if the caller may delete its own alone and this is another's
     */
    public void requireMayDelete(String what, String broughtBy) {
        if (role != Role.OPERATOR && !name.equals(broughtBy)) {
            throw new ApiProblem(
                    ProblemType.FORBIDDEN,
                    what + " was pushed by '" + broughtBy + "', not by '" + name
                            + "': a submitter deletes what it pushed, an operator any");
        }
    }

    @Override
    public String getName() {
        return name;
    }
}
