package dev.tilewright.api.token;

import dev.tilewright.api.platform.SecretFile;
import dev.tilewright.api.platform.access.Caller;
import dev.tilewright.api.platform.access.RecentTokens;
import dev.tilewright.api.platform.access.Role;
import dev.tilewright.api.platform.access.Tokens;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.ProblemType;
import dev.tilewright.model.space.Sha256;
import java.time.Clock;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/** Makes, lists and revokes tokens. */
@Service
record TokenService(TokenRepository kept, RecentTokens recent, Tokens tokens, Clock clock) {

    /** The most tokens that are kept: every request looks all of them up together. */
    static final int MAX_TOKENS = 1000;

    private static final Logger LOG = LoggerFactory.getLogger(TokenService.class);
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    /**
     * Makes a token.
     *
     * @throws ApiProblem 422 for a bad name, or where users show none; 409 if the name is taken
     */
    TokenDocument.CreatedToken create(TokenRequest request, Caller by) {
        if (!NAME.matcher(request.name()).matches()) {
            throw ApiProblem.invalid(
                    "/name",
                    "must be 1 to 64 letters, digits, '.', '_' or '-', a letter or digit first, got '" + request.name()
                            + "'");
        }
        if (request.role() != Role.WORKER && !tokens.usersNeedOne()) {
            throw ApiProblem.invalid(
                    "/role",
                    "this service asks users for no token, so that a " + request.role()
                            + " could do anything without one: start it with --login first");
        }
        String secret = SecretFile.draw();
        TokenDocument token = new TokenDocument(request.name(), request.role(), by.name(), clock.instant());
        if (!kept.insert(token, Sha256.hex(secret), MAX_TOKENS)) {
            throw kept.exists(token.name())
                    ? new ApiProblem(
                            ProblemType.NAME_TAKEN,
                            "there is a token '" + token.name() + "' already: revoke it first, or take another name")
                    : new ApiProblem(ProblemType.NAME_TAKEN, "there are " + MAX_TOKENS + " tokens: revoke some first");
        }
        recent.forget();
        LOG.info("token '{}' ({}) was made by '{}'", token.name(), token.role(), by.name());
        return new TokenDocument.CreatedToken(token.name(), token.role(), token.createdAt(), secret);
    }

    TokenDocument.TokenList all() {
        return new TokenDocument.TokenList(kept.all());
    }

    /** Revokes a token; 404 if there is none of this name. */
    void revoke(String name, Caller by) {
        if (!kept.delete(name)) {
            throw ApiProblem.notFound("token", "'" + name + "'");
        }
        recent.forget();
        LOG.info("token '{}' was revoked by '{}'", name, by.name());
    }
}
