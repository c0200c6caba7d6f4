package dev.tilewright.api.idempotency;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.api.platform.http.ProblemType;
import dev.tilewright.model.space.Sha256;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.json.JsonMapper;

/** Answers a request that is sent again as the first time. */
@Service
public class IdempotencyKeys {

    public static final String HEADER = "Idempotency-Key";

    /** As the documentation of the header has it. */
    public static final String MEANING =
            "Makes the request safe to repeat; the answer is kept for 24 hours, for the caller who sent the key";

    private static final Duration LIFE = Duration.ofHours(24);

    /** A structured-field string, or plain text without blanks. */
    private static final Pattern KEY =
            Pattern.compile("\"([\\x20-\\x7e&&[^\"\\\\]]{1,255})\"|([\\x21-\\x7e&&[^\"\\\\]]{1,255})");

    private final KeyRepository keys;
    private final JsonMapper mapper;
    private final Clock clock;

    IdempotencyKeys(KeyRepository keys, JsonMapper mapper, Clock clock) {
        this.keys = keys;
        this.mapper = mapper;
        this.clock = clock;
    }

    /**
     * Makes something once for each key of a caller, in the transaction that also keeps the key.
     *
     * @param header {@code null} for a request that is not to be repeated
     * @param caller whose key it is: by name of the token, or the one name of all callers without a token
     * @param kind of what is made, such as {@code job}
     * @param payload of which the same key may have one alone
     * @param make makes it, and says its id
     * @return the id of what was made now, or by the first request with the key
     * @throws ApiProblem 400 if the header is no key, 422 if it was used with another payload, 409 if the first request
     *     is in flight
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public UUID once(@Nullable String header, String caller, String kind, Object payload, Supplier<UUID> make) {
        if (header == null) {
            return make.get();
        }
        String key = key(header);
        // Before the check: a repeated request is answered even where the world has changed since.
        String fingerprint = fingerprint(payload);
        Optional<UUID> before = before(caller, key, kind, fingerprint);
        if (before.isPresent()) {
            return before.get();
        }
        UUID made = make.get();
        keys.use(caller, key, new KeyRepository.Used(fingerprint, kind, made), clock.instant());
        return made;
    }

    /**
     * The resource that the first request with a key has made. Handlers ask for it before they read a request, since
     * reading may take longer than a transaction; {@link #once} asks again.
     *
     * @return empty if the key is new, or there is none
     * @throws ApiProblem as {@link #once} does
     */
    @Transactional
    public Optional<UUID> made(@Nullable String header, String caller, String kind, Object payload) {
        return header == null ? Optional.empty() : before(caller, key(header), kind, fingerprint(payload));
    }

    private String fingerprint(Object payload) {
        return Sha256.hex(mapper.writeValueAsString(payload));
    }

    private Optional<UUID> before(String caller, String key, String kind, String fingerprint) {
        if (!keys.take(caller, key)) {
            throw new ApiProblem(ProblemType.IN_FLIGHT, "a request with " + HEADER + " '" + key + "' is being handled");
        }
        Optional<KeyRepository.Used> used = keys.used(caller, key);
        used.filter(first -> !first.fingerprint().equals(fingerprint)
                        || !first.kind().equals(kind))
                .ifPresent(first -> {
                    Fault fault = new Fault(
                            HEADER, "was used for another payload, which made " + first.kind() + " " + first.madeId());
                    throw new ApiProblem(
                            ProblemType.KEY_REUSED, HEADER + " '" + key + "' " + fault.detail(), List.of(fault));
                });
        return used.map(KeyRepository.Used::madeId);
    }

    private static String key(String header) {
        Matcher matcher = KEY.matcher(header.strip());
        if (!matcher.matches()) {
            throw ApiProblem.malformed(HEADER, "must be text of 1 to 255 visible characters, got '" + header + "'");
        }
        return matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
    }

    /** Forgets keys that have had their time; returns how many. */
    public int forget() {
        return keys.forgetBefore(clock.instant().minus(LIFE));
    }
}
