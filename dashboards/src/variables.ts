// Template variables: chosen by a query, or where the service's own pages are.
import * as dashboard from "@grafana/grafana-foundation-sdk/dashboard";
import { RESULTS } from "./sources.js";

export function chosen(name: string, label: string, description: string, query: string): dashboard.QueryVariableBuilder {
  return new dashboard.QueryVariableBuilder(name)
    .label(label)
    .description(description)
    .datasource(RESULTS)
    .query(query.trim())
    .refresh(dashboard.VariableRefresh.OnTimeRangeChanged);
}

// Of whoever looks: a link leads from their browser to the service, not from Grafana.
export function service(): dashboard.TextBoxVariableBuilder {
  return new dashboard.TextBoxVariableBuilder("service")
    .label("Service")
    .description("Address of the service's own pages, as this browser reaches it.")
    .defaultValue("http://localhost:8080");
}

// A cell that leads to a page of the service; its value is the id of what the page shows.
export function pageOf(page: string, title: string): { id: string; value: unknown } {
  return { id: "links", value: [{ title, url: "${service}/" + page + "/${__value.raw}", targetBlank: true }] };
}
