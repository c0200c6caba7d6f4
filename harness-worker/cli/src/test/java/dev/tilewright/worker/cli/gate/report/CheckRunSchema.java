package dev.tilewright.worker.cli.gate.report;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.tilewright.worker.link.json.Json;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A JSON Schema made of a list of parameters such as {@code output.annotations[].path}, as Octokit lists them. */
final class CheckRunSchema {

    private CheckRunSchema() {}

    static Schema of(String route) {
        ObjectNode root = object(Json.mapper().createObjectNode());
        Json.mapper().readTree(route).at("/params").forEach(parameter -> {
            if (parameter.at("/location").asString().equals("body")) {
                add(root, parameter);
            }
        });
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(root.toString());
    }

    private static ObjectNode object(ObjectNode node) {
        node.put("type", "object").put("additionalProperties", false);
        node.putObject("properties");
        node.putArray("required");
        return node;
    }

    private static void add(ObjectNode root, JsonNode parameter) {
        String[] path = parameter.at("/name").asString().split("\\.");
        ObjectNode parent = root;
        for (int i = 0; i < path.length - 1; i++) {
            boolean list = path[i].endsWith("[]");
            ObjectNode child = (ObjectNode) parent.get("properties").get(path[i].replace("[]", ""));
            parent = list ? (ObjectNode) child.get("items") : child;
        }
        String name = path[path.length - 1];
        ObjectNode property = ((ObjectNode) parent.get("properties")).putObject(name);
        switch (parameter.at("/type").asString()) {
            case "object" -> object(property);
            case "object[]" -> object(property.put("type", "array").putObject("items"));
            case String type -> property.put("type", type);
        }
        if (parameter.has("enum")) {
            property.set("enum", parameter.get("enum"));
        }
        if (parameter.at("/required").asBoolean()) {
            ((ArrayNode) parent.get("required")).add(name);
        }
    }
}
