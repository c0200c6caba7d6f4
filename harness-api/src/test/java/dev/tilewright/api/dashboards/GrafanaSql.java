package dev.tilewright.api.dashboards;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What Grafana makes of a query before Postgres sees it: macros and variables in the forms that our dashboards use. */
final class GrafanaSql {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+):sqlstring}");
    private static final Pattern TIME_FILTER = Pattern.compile("\\$__timeFilter\\((\\w+)\\)");
    private static final Pattern TIME_GROUP = Pattern.compile("\\$__timeGroupAlias\\((\\w+), *(?:\\$__interval|1m)\\)");

    private GrafanaSql() {}

    /**
     * Expands a query.
     *
     * @param values of the variables, by name
     * @throws IllegalArgumentException if it holds a variable without a value or a macro that is not known here
     */
    static String expand(String query, Map<String, String> values) {
        String sql = VARIABLE.matcher(query).replaceAll(match -> {
            String value = values.get(match.group(1));
            if (value == null) {
                throw new IllegalArgumentException("variable " + match.group(1) + " has no value in: " + query);
            }
            return Matcher.quoteReplacement("'" + value.replace("'", "''") + "'");
        });
        sql = TIME_FILTER.matcher(sql).replaceAll("$1 between now() - interval '1 day' and now() + interval '1 day'");
        sql = TIME_GROUP.matcher(sql).replaceAll("floor(extract(epoch from $1) / 60) * 60 as \"time\"");
        if (sql.contains("$")) {
            throw new IllegalArgumentException("a macro that this test does not know in: " + sql);
        }
        return sql;
    }
}
