package dev.tilewright.api.study;

import dev.tilewright.api.platform.database.JsonColumn;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Repository;

/** The columns of table {@code job} that hold what a job asks for. A study reads them by join. */
@Repository
public class JobOptionsRepository {

    private static final List<String> COLUMNS = List.of(
            "family",
            "restriction",
            "strategy",
            "trial_budget",
            "seconds_budget",
            "finalists",
            "seed",
            "selector",
            "check_first");

    private final JsonColumn json;

    JobOptionsRepository(JsonColumn json) {
        this.json = json;
    }

    /** Their names, as a part of a statement; those of a study's own are left out. */
    public static String names(String table, String... own) {
        return COLUMNS.stream()
                .filter(column -> !Arrays.asList(own).contains(column))
                .map(column -> table + column)
                .collect(Collectors.joining(", "));
    }

    /** The parameters of an insertion, each named as its column. */
    public static String parameters() {
        return COLUMNS.stream()
                .map(column -> column.equals("restriction") ? "cast(:" + column + " as jsonb)" : ":" + column)
                .collect(Collectors.joining(", "));
    }

    /** What the parameters are. */
    public Map<String, @Nullable Object> values(JobOptions options) {
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("family", options.family());
        values.put("restriction", json.write(options.restriction()));
        values.put("strategy", options.strategy());
        values.put("trial_budget", options.budget().trials());
        values.put("seconds_budget", options.budget().seconds());
        values.put("finalists", options.budget().finalists());
        values.put("seed", options.seed());
        values.put("selector", options.device());
        values.put("check_first", options.check());
        return values;
    }

    /** Those of a row that has these columns. */
    public JobOptions read(ResultSet row) throws SQLException {
        return new JobOptions(
                row.getString("family"),
                json.read(row, "restriction", SpaceRestriction.class),
                row.getString("strategy"),
                new Budget(
                        JsonColumn.wholeOrNull(row, "trial_budget"),
                        JsonColumn.wholeOrNull(row, "seconds_budget"),
                        row.getInt("finalists")),
                row.getLong("seed"),
                row.getString("selector"),
                row.getBoolean("check_first"));
    }
}
