package dev.tilewright.api.platform.access;

import dev.tilewright.api.platform.http.PagePaths;
import dev.tilewright.api.platform.http.Reads;
import dev.tilewright.api.platform.http.WorkerPaths;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Roles that a request is open to.
 *
 * @param roles those that may; empty if everybody may, with no token
 */
public record AllowedRoles(Set<Role> roles) {

    private static final AllowedRoles EVERYBODY = new AllowedRoles(Set.of());
    private static final AllowedRoles READERS = new AllowedRoles(Set.of(Role.READER, Role.SUBMITTER, Role.OPERATOR));
    private static final AllowedRoles SUBMITTERS = new AllowedRoles(Set.of(Role.SUBMITTER, Role.OPERATOR));
    private static final AllowedRoles OPERATORS = new AllowedRoles(Set.of(Role.OPERATOR));
    private static final AllowedRoles WORKERS = new AllowedRoles(Set.of(Role.WORKER));
    private static final AllowedRoles READERS_AND_WORKERS = new AllowedRoles(Set.of(Role.values()));

    private static final Pattern HEALTH = Pattern.compile("/actuator/health(/liveness|/readiness)?");
    private static final Pattern OPERATIONS =
            Pattern.compile("(/actuator(?!/prometheus\\z)|/api/v1/tokens)([/.].*)?", Pattern.DOTALL);
    private static final Pattern SHARED =
            Pattern.compile("/api/v1/(checks/.*|version|bundles/[^/]+/zip)", Pattern.DOTALL);

    /** The rule for a request. What nobody has thought of is read by readers and changed by submitters. */
    public static AllowedRoles to(String method, String path) {
        boolean reads = Reads.include(method);
        if (WorkerPaths.include(method, path)) {
            return WORKERS;
        }
        if (HEALTH.matcher(path).matches() || PagePaths.areOpen(path)) {
            return EVERYBODY;
        }
        if (OPERATIONS.matcher(path).matches()) {
            return OPERATORS;
        }
        if (!reads) {
            return SUBMITTERS;
        }
        return SHARED.matcher(path).matches() ? READERS_AND_WORKERS : READERS;
    }

    boolean isForEverybody() {
        return roles.isEmpty();
    }

    boolean isForWorkersAlone() {
        return roles.equals(Set.of(Role.WORKER));
    }

    boolean admits(Role role) {
        return roles.contains(role);
    }

    /** The roles that may, such as {@code submitter or operator}. */
    @Override
    public String toString() {
        return roles.stream().sorted().map(Role::toString).collect(Collectors.joining(" or "));
    }
}
