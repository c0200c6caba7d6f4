package dev.tilewright.api.platform.database;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Values as Postgres keeps them: documents as {@code jsonb}, instants as {@code timestamptz}. */
@Component
public class JsonColumn {

    private final JsonMapper mapper;

    JsonColumn(JsonMapper mapper) {
        this.mapper = mapper;
    }

    /** The document as text, to be cast to {@code jsonb} in SQL; {@code null} stays {@code null}. */
    public @Nullable String write(@Nullable Object value) {
        return value == null ? null : mapper.writeValueAsString(value);
    }

    public <T> T read(ResultSet row, String column, Class<T> type) throws SQLException {
        return mapper.readValue(row.getString(column), type);
    }

    public <T> T read(ResultSet row, String column, TypeReference<T> type) throws SQLException {
        return mapper.readValue(row.getString(column), type);
    }

    public <T> @Nullable T readOrNull(ResultSet row, String column, Class<T> type) throws SQLException {
        String text = row.getString(column);
        return text == null ? null : mapper.readValue(text, type);
    }

    public <T> @Nullable List<T> listOrNull(ResultSet row, String column, Class<T[]> type) throws SQLException {
        T[] items = readOrNull(row, column, type);
        return items == null ? null : List.of(items);
    }

    /** An instant as the driver takes it. */
    public static OffsetDateTime at(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    public static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    public static @Nullable Instant instantOrNull(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    public static @Nullable Double realOrNull(ResultSet row, String column) throws SQLException {
        return row.getObject(column, Double.class);
    }

    public static @Nullable Integer wholeOrNull(ResultSet row, String column) throws SQLException {
        return row.getObject(column, Integer.class);
    }

    /** One of these, which is written in lower case. */
    public static <E extends Enum<E>> E word(ResultSet row, String column, Class<E> type) throws SQLException {
        return Enum.valueOf(type, row.getString(column).toUpperCase(Locale.ROOT));
    }

    public static <E extends Enum<E>> @Nullable E wordOrNull(ResultSet row, String column, Class<E> type)
            throws SQLException {
        return row.getString(column) == null ? null : word(row, column, type);
    }
}
