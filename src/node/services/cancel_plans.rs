//! Ends all planning that is under way.

use crate::convert::{Refusal, Status};
use crate::interfaces::srv::{self, CancelPlansRequest, CancelPlansResponse};
use crate::node::{Availability, Context, Service};

/// `~/cancel_plans`.
#[derive(Debug, Clone, Copy, Default)]
pub struct CancelPlans;

impl Service for CancelPlans {
    type Type = srv::CancelPlans;
    const AVAILABILITY: Availability = Availability::Always;

    fn handle(
        &self,
        context: &mut Context<'_>,
        request: CancelPlansRequest,
    ) -> Result<CancelPlansResponse, Refusal> {
        let cancelled = context.planning.cancel(&request.reason);
        Ok(CancelPlansResponse { cancelled, message: String::new(), status: Status::Ok as u8 })
    }

    fn refuse(&self, refusal: Refusal) -> CancelPlansResponse {
        CancelPlansResponse {
            status: refusal.status as u8,
            message: refusal.message,
            ..CancelPlansResponse::default()
        }
    }

    fn refusal(response: &CancelPlansResponse) -> Option<Refusal> {
        Refusal::of_response(response.status, &response.message)
    }
}
