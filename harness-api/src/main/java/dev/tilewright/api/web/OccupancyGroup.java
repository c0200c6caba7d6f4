package dev.tilewright.api.web;

import java.util.List;

/** Maps that stand side by side on one axis of time. */
public record OccupancyGroup(List<OccupancyMap> maps) {

    /** The legend of all maps, each key once. */
    public List<OccupancyMap.Key> keys() {
        return maps.stream().flatMap(map -> map.keys().stream()).distinct().toList();
    }

    /** Whether one of them has times: an emulated GPU gives none. */
    public boolean isDrawn() {
        return maps.stream().anyMatch(map -> !map.rows().isEmpty());
    }
}
