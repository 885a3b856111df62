// The manager's API uses these libraries' types: whoever imports it needs no further import.
@_exported import Bitcoin
@_exported import ChainData
@_exported import ExplainedErrors
@_exported import SmartCard
@_exported import TapProtocol
