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

// A cell that leads to a page of the service. The path has the value of the cell, or of other columns of its row.
export function pageOf(path: string, title: string): { id: string; value: unknown } {
  return { id: "links", value: [{ title, url: "${service}" + path, targetBlank: true }] };
}

// A link above the panels to the page that shows what was chosen.
export function pageLink(title: string, path: string): dashboard.DashboardLinkBuilder {
  return new dashboard.DashboardLinkBuilder(title)
    .type(dashboard.DashboardLinkType.Link)
    .icon("external link")
    .tooltip("A page of the service.")
    .url("${service}" + path)
    .targetBlank(true);
}
