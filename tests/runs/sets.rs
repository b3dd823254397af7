//! The example tool files, read with the settings that travel with them.

use rehearsal::plan::{Flow, PlanSettings, Planner};
use rehearsal::settings::{Flags, find_config, resolve};
use rehearsal::task::{Arm, Dial};
use rehearsal::toolfile::{ReadOptions, Reading, read};
use std::path::PathBuf;
use std::sync::Arc;

/// A set ready to be planned on.
pub(crate) struct Set {
    pub(crate) options: ReadOptions,
    pub(crate) settings: PlanSettings,
    pub(crate) reading: Arc<Reading>,
    pub(crate) planner: Planner,
    pub(crate) path: PathBuf,
}

impl Set {
    /// Reads bytes as the example of that name is read.
    pub(crate) fn of(name: &str, bytes: &[u8]) -> Set {
        let (file, read_tools, flows): (&str, &[&str], &[&str]) = match name {
            "orders" => (
                "orders.openai.json",
                &["get_order", "search_orders", "list_channels"],
                &["get_order.id:refund_order.order_id"],
            ),
            "warehouse" => (
                "warehouse.mcp.json",
                &[],
                &[
                    "find_sku.sku:reserve_stock.sku",
                    "reserve_stock.hold:ship_order.hold",
                    "ship_order.shipment_id:print_label_v2.shipment_id",
                ],
            ),
            _ => (
                "clinic.openapi.yaml",
                &[],
                &[
                    "listSlots.slots[].slot_id:bookAppointment.slot_id",
                    "bookAppointment.appointment_id:confirmAppointment.appointment_id",
                ],
            ),
        };
        let options = ReadOptions {
            name: name.to_owned(),
            read: read_tools.iter().map(|t| (*t).to_owned()).collect(),
            ..ReadOptions::default()
        };
        let settings = PlanSettings { intents: vec![], flows: flows.iter().map(|f| Flow::parse(f).unwrap()).collect() };
        let reading = Arc::new(read(bytes, &options));
        assert_eq!(reading.error, None);
        let planner = Planner::new(reading.clone(), settings.clone()).unwrap();
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples").join(name).join(file);
        Set { options, settings, reading, planner, path }
    }

    /// An example as it is in the repository.
    pub(crate) fn example(name: &str) -> Set {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples").join(name);
        let file = ["orders.openai.json", "warehouse.mcp.json", "clinic.openapi.yaml"]
            .into_iter()
            .find(|f| folder.join(f).exists())
            .unwrap();
        Set::of(name, &std::fs::read(folder.join(file)).unwrap())
    }

    /// The hotel example with the settings that lie beside it: it reaches all thirteen dials.
    pub(crate) fn hotel() -> Set {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples/hotel/hotel.mcp.json");
        let config = find_config(Some(&path), None).unwrap();
        let resolved = resolve(Some(&path), &config, &Flags::default());
        let (options, settings) = (resolved.read_options(), resolved.plan_settings());
        let reading = Arc::new(read(&std::fs::read(&path).unwrap(), &options));
        let planner = Planner::new(reading.clone(), settings.clone()).unwrap();
        Set { options, settings, reading, planner, path }
    }

    /// The orders example with five more tools, so that all thirteen dials are there.
    pub(crate) fn wide() -> Set {
        let orders = Set::example("orders");
        let text = std::fs::read_to_string(&orders.path).unwrap();
        let more = ["cancel_order", "tag_order", "hold_order", "close_order", "archive_order"].map(|name| {
            format!(
                r#", {{"type": "function", "function": {{"name": "{name}", "description": "Mark an order as {name}.", "parameters":
                {{"type": "object", "required": ["order_id", "grade"], "properties": {{"order_id": {{"type": "string", "minLength": 6,
                "maxLength": 6}}, "grade": {{"type": "integer", "minimum": 1, "maximum": 9}}}}}}}}}}"#
            )
        });
        let end = text.rfind(']').unwrap();
        Set::of("orders", format!("{}{}{}", &text[..end], more.concat(), &text[end..]).as_bytes())
    }

    /// Every arm it offers.
    pub(crate) fn arms(&self) -> Vec<Arm> {
        Dial::ALL
            .into_iter()
            .flat_map(|dial| self.planner.levels(dial).unwrap_or_default().into_iter().map(move |l| dial.at(l)))
            .collect()
    }
}
