// The two data sources, as provisioning/ names them, and queries on them.
import type { Builder, Dataquery } from "@grafana/grafana-foundation-sdk/cog";
import type { DataSourceRef } from "@grafana/grafana-foundation-sdk/common";
import * as prometheus from "@grafana/grafana-foundation-sdk/prometheus";

export const METRICS: DataSourceRef = { type: "prometheus", uid: "tilewright-prometheus" };
export const RESULTS: DataSourceRef = { type: "grafana-postgresql-datasource", uid: "tilewright-postgres" };

export function metric(expr: string, legend: string, refId = "A"): Builder<Dataquery> {
  return new prometheus.DataqueryBuilder()
    .datasource(METRICS)
    .expr(expr)
    .legendFormat(legend)
    .range()
    .refId(refId);
}

// The SDK has no query type of its own for Postgres.
interface SqlQuery extends Dataquery {
  refId: string;
  datasource: DataSourceRef;
  format: "table" | "time_series";
  editorMode: "code";
  rawQuery: true;
  rawSql: string;
}

export function sql(rawSql: string, format: "table" | "time_series" = "table"): Builder<Dataquery> {
  const query: SqlQuery = {
    refId: "A",
    datasource: RESULTS,
    format,
    editorMode: "code",
    rawQuery: true,
    rawSql: rawSql.trim(),
    _implementsDataqueryVariant: () => {},
  };
  return { build: () => query };
}
