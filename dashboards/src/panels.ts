// The panel shapes both dashboards use. Every panel has a title, a description and a unit.
import type { Builder, Dataquery } from "@grafana/grafana-foundation-sdk/cog";
import * as barchart from "@grafana/grafana-foundation-sdk/barchart";
import * as common from "@grafana/grafana-foundation-sdk/common";
import type { DataSourceRef } from "@grafana/grafana-foundation-sdk/common";
import * as stat from "@grafana/grafana-foundation-sdk/stat";
import * as table from "@grafana/grafana-foundation-sdk/table";
import * as timeseries from "@grafana/grafana-foundation-sdk/timeseries";
import * as trend from "@grafana/grafana-foundation-sdk/trend";

export interface Panel {
  title: string;
  description: string;
  source: DataSourceRef;
  targets: Builder<Dataquery>[];
  unit: string;
  // Of a 24-column grid.
  span: number;
  height?: number;
  // Whether values may be below 0, where the axis begins otherwise.
  signed?: boolean;
}

const HEIGHT = 8;

interface AnyPanel<B> {
  title(text: string): B;
  description(text: string): B;
  datasource(ref: DataSourceRef): B;
  targets(targets: Builder<Dataquery>[]): B;
  unit(unit: string): B;
  span(columns: number): B;
  height(rows: number): B;
}

function base<B extends AnyPanel<B>>(builder: B, panel: Panel): B {
  return builder
    .title(panel.title)
    .description(panel.description)
    .datasource(panel.source)
    .targets(panel.targets)
    .unit(panel.unit)
    .span(panel.span)
    .height(panel.height ?? HEIGHT);
}

export function overTime(panel: Panel): timeseries.PanelBuilder {
  const builder = base(new timeseries.PanelBuilder(), panel).fillOpacity(10);
  return panel.signed ? builder : builder.min(0);
}

export function stacked(panel: Panel): timeseries.PanelBuilder {
  return overTime(panel)
    .drawStyle(common.GraphDrawStyle.Bars)
    .fillOpacity(80)
    .stacking(new common.StackingConfigBuilder().mode(common.StackingMode.Normal));
}

// Numbers over an ordinal, not over time: trials may be days apart.
export function overOrdinal(panel: Panel, xField: string): trend.PanelBuilder {
  return base(new trend.PanelBuilder(), panel).xField(xField).min(0);
}

export function bars(panel: Panel, xField: string): barchart.PanelBuilder {
  const builder = base(new barchart.PanelBuilder(), panel).xField(xField);
  return panel.signed ? builder : builder.min(0);
}

// Units by column name; columns without one are plain text and counts. Links of columns likewise.
export function rows(
  panel: Panel,
  units: Record<string, string> = {},
  links: Record<string, { id: string; value: unknown }> = {},
): table.PanelBuilder {
  const builder = base(new table.PanelBuilder(), panel);
  for (const [column, link] of Object.entries(links)) {
    builder.overrideByName(column, [link]);
  }
  for (const [column, unit] of Object.entries(units)) {
    builder.overrideByName(column, [{ id: "unit", value: unit }]);
  }
  return builder;
}

// The first row of a query, all its columns side by side, text included.
export function facts(panel: Panel): stat.PanelBuilder {
  return base(new stat.PanelBuilder(), panel)
    .graphMode(common.BigValueGraphMode.None)
    .colorMode(common.BigValueColorMode.None)
    .textMode(common.BigValueTextMode.ValueAndName)
    .reduceOptions(new common.ReduceDataOptionsBuilder().calcs(["lastNotNull"]).fields("/.*/").values(false));
}
