package dev.tilewright.api.platform.access;

import java.util.Map;

/** Where tokens are kept. */
public interface KnownTokens {

    /** The caller of each token, by the SHA-256 of the token. */
    Map<String, Caller> byHash();
}
