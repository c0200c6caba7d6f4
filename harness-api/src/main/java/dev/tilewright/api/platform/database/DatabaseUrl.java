package dev.tilewright.api.platform.database;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Address of a Postgres, read from {@code postgres://user:password@host:port/database} or
 * {@code jdbc:postgresql://...}.
 *
 * @param parameters what follows the question mark; {@code null} if nothing does
 */
public record DatabaseUrl(
        String host,
        int port,
        String database,
        @Nullable String user,
        @Nullable String password,
        @Nullable String parameters) {

    private static final int DEFAULT_PORT = 5432;

    /**
     * Reads an address. The message of a refusal never holds the address itself, because that may hold a password.
     *
     * @throws IllegalArgumentException saying what is wrong
     */
    public static DatabaseUrl parse(String text) {
        String url = text.startsWith("jdbc:") ? text.substring("jdbc:".length()) : text;
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(
                    "DATABASE_URL is no URL: " + e.getReason() + " at index " + e.getIndex(), e);
        }
        String scheme = uri.getScheme();
        if (!"postgres".equals(scheme) && !"postgresql".equals(scheme)) {
            throw new IllegalArgumentException(
                    "DATABASE_URL must start with postgres://, postgresql:// or jdbc:postgresql://, got "
                            + (scheme == null ? "no scheme" : scheme + "://"));
        }
        if (uri.getHost() == null || uri.getPath() == null || uri.getPath().length() < 2) {
            throw new IllegalArgumentException(
                    "DATABASE_URL must name a host and a database: postgres://user:password@host:port/database");
        }
        String[] login = uri.getRawUserInfo() == null
                ? new String[0]
                : uri.getRawUserInfo().split(":", 2);
        return new DatabaseUrl(
                uri.getHost(),
                uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(),
                uri.getPath().substring(1),
                login.length > 0 ? decode(login[0]) : null,
                login.length > 1 ? decode(login[1]) : null,
                uri.getRawQuery());
    }

    /**
     * The same with the password that is kept elsewhere.
     *
     * @param kept {@code null} if none is
     * @throws IllegalArgumentException if the address has one too
     */
    public DatabaseUrl withPassword(@Nullable String kept) {
        if (kept != null && password != null) {
            throw new IllegalArgumentException(
                    "DATABASE_URL has a password, and DATABASE_PASSWORD is set too: give one");
        }
        return kept == null ? this : new DatabaseUrl(host, port, database, user, kept, parameters);
    }

    private static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** The address as the driver wants it, without user and password. */
    public String jdbcUrl() {
        return "jdbc:postgresql://" + host + ":" + port + "/" + database + (parameters == null ? "" : "?" + parameters);
    }

    /** Host and port, for messages. */
    public String server() {
        return host + ":" + port;
    }

    @Override
    public String toString() {
        return server() + "/" + database;
    }
}
